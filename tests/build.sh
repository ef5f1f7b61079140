#!/bin/bash
# What the makefiles promise to those who work on the tree: what is gone is not built from, the quick loop is quick, the hook refuses, a
# release is whole. All in a copy of the tree, with builds of its own. Ends with "N passed, N failed".
. "$(dirname "$0")/../warpgrind/tests/suite.bash"
tree=$work/tree built=$work/built
mkdir "$tree" && git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$tree" 2>/dev/null
cd "$tree" || exit 3
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.org
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
git init -q && git add -A && git commit -qm "The tree" || exit 3

build_base() { make --no-print-directory -C warpgrind BUILD="$built" OPT=-O0 "$built/lib/libbase.a" >"$work/log" 2>&1; }

if selected "what is gone"; then
    echo 'int planted(void);' >warpgrind/base/planted.h
    printf '#include "base/planted.h"\nint planted(void) {\n    return 1;\n}\n' >warpgrind/base/planted.c
    build_base
    verdict "what is gone: it was there" "$(ar t "$built/lib/libbase.a" | grep -q planted || tail -n 5 "$work/log")"
    rm warpgrind/base/planted.h
    verdict "what is gone: a header" "$(build_base && echo "what includes it was not compiled again" || grep -q 'base/planted.h' "$work/log" || tail -n 5 "$work/log")"
    rm warpgrind/base/planted.c
    build_base
    verdict "what is gone: a source" "$(ar t "$built/lib/libbase.a" | grep planted)"
    build_base
    verdict "what is gone: nothing more to do" "$(grep -v 'is up to date' "$work/log")"
fi

if selected "a folder that make cannot name"; then
    for place in "a b" 'a#b' 'a:b' 'a%b' "a'b" 'a$b' 'a(b'; do
        mkdir -p "$work/$place/warpgrind" && cp Makefile "$work/$place" && cp warpgrind/Makefile warpgrind/place.mk "$work/$place/warpgrind/"
        for makefile in "$work/$place" "$work/$place/warpgrind"; do
            verdict "a folder that make cannot name: ${makefile#"$work/"}" "$(make -C "$makefile" help 2>&1 | grep -q 'this folder cannot be built in, .*Put it elsewhere' || echo "it is not said")"
        done
    done
fi

if selected "what warpgrind needs"; then
    named() { make --no-print-directory -C warpgrind BUILD="$work/none" "$@" 2>&1; }
    verdict "what warpgrind needs: no compiler" "$(named CC=no-compiler | grep -q 'needs these to be built, .*: gcc .*nettle-dev' || named CC=no-compiler | tail -n 5)"
    verdict "what warpgrind needs: no headers" "$(named CC='gcc -nostdinc' | grep -q 'apt-get install --no-install-recommends libc6-dev ' || named CC='gcc -nostdinc' | tail -n 5)"
    verdict "what warpgrind needs: help needs nothing" "$(named CC=no-compiler help | grep -q 'make install' || echo "no help")"
    verdict "what warpgrind needs: nothing is missing here" "$(sh warpgrind/packages.sh gcc 2>&1)"
    # Which headers of the system an object was made of, gcc itself says.
    if command -v dpkg >/dev/null; then
        used=$(for source in $(git ls-files 'warpgrind/*.c' | grep -vE '/(tests|bench|include)/'); do grep -h '^#include <' "$source"; done | sort -u |
            gcc -D_GNU_SOURCE -M -MG -x c - | tr -s '[:space:]' '\n' | grep '^/usr/include/' | sort -u)
        # shellcheck disable=SC2086 # a list of files
        verdict "what warpgrind needs: each header's package is named" "$(dpkg -S $used 2>/dev/null | sed 's/:.*//' | grep -vx 'linux-libc-dev' | sort -u | grep -vxFf <(sh warpgrind/packages.sh --list))"
    fi
    verdict "what warpgrind needs: its page says the same" "$(for package in $(sh warpgrind/packages.sh --list); do grep -qE "apt install (.* )?$package( |$)" warpgrind/README.md || echo "$package"; done)"
fi

# A build folder inside the tree, which is copied with it: the copy's objects know the copy's headers.
if selected "a copied tree"; then
    base() { make --no-print-directory -C "$1/warpgrind" BUILD="$1/in" OPT=-O0 "$1/in/lib/libbase.a" >"$work/log" 2>&1; }
    base "$tree" && cp -a "$tree" "$work/copy" && base "$work/copy"
    verdict "a copied tree: nothing more to do" "$(grep -v 'is up to date' "$work/log")"
    touch -d '+1 minute' "$work/copy/warpgrind/base/arena.h"
    base "$work/copy"
    verdict "a copied tree: a header changed" "$([ "$(grep -c -- '-c base/.*\.c' "$work/log")" -ge 8 ] || echo "compiled: $(grep -c -- '-c base/' "$work/log")")"
    verdict "a copied tree: no word of the old one" "$(grep -rl "$tree/" "$work/copy/in" --include='*.d' | head -n 3)"
    rm -rf "$work/copy" "$tree/in"
fi

# Make must not look at a header that the engine installs before the engine has done so.
known=$(make -pn --no-print-directory BUILD="$build" all 2>/dev/null | grep -c "^$build/headers/%: engine")
verdict "what depends on what: an installed header waits for the engine" "$([ "$known" -ge 1 ] || echo "make knows no such rule")"
verdict "what depends on what: no object names its build folder" "$(grep -rlF "$build/" "$build/obj" --include='*.d' | head -n 3)"

# After an edit in base, the quick loop compiles one test and links one program.
quick=$(make -n --no-print-directory BUILD="$built" test SUITE=unit FILTER=base/test_arena_text | grep -oE -- "-o $built/(bin|tests)/[^ ]*")
verdict "the quick loop builds one program" "$([ "$quick" = "-o $built/tests/base/test_arena_text" ] || echo "it builds: $quick")"

if selected "the hook"; then
    make --no-print-directory hooks >"$work/log" 2>&1
    verdict "the hook: make hooks" "$([ -x .git/hooks/pre-commit ] || tail -n 5 "$work/log")"
    printf 'int   x ;\n' >warpgrind/base/planted.c && git add warpgrind/base/planted.c
    verdict "the hook: a layout of one's own" "$(git commit -qm "Bad" >"$work/log" 2>&1 && echo "was committed" || grep -q 'base/planted.c:1' "$work/log" || tail -n 5 "$work/log")"
    printf 'int x;\n' >warpgrind/base/planted.c
    verdict "the hook: what is staged counts" "$(git commit -qm "Still bad" >"$work/log" 2>&1 && echo "was committed")"
    printf '#include "gpu/gpu.h"\nint x;\n' >warpgrind/base/planted.c && git add warpgrind/base/planted.c
    verdict "the hook: an include upwards" "$(git commit -qm "Bad" >"$work/log" 2>&1 && echo "was committed" || grep -q 'must not include' "$work/log" || tail -n 5 "$work/log")"
    printf 'int x;\n' >warpgrind/base/planted.c && git add warpgrind/base/planted.c
    verdict "the hook: a good commit" "$(git commit -qm "Good" >"$work/log" 2>&1 || tail -n 5 "$work/log")"
    echo true >.git/hooks/pre-commit
    verdict "the hook: somebody's own stays" "$(make --no-print-directory hooks >"$work/log" 2>&1 && echo "it went" || grep -q remedy "$work/log" || tail -n 5 "$work/log")"
    rm .git/hooks/pre-commit
fi

release() { BUILD_IT=no make --no-print-directory release BUILD="$built" >"$work/log" 2>&1; }
refuses() { # word
    if release; then echo "it was made"; else grep -q "$1" "$work/log" || tail -n 5 "$work/log"; fi
}
if selected "a release"; then
    version=$(sed -n 's/^#define WARPGRIND_VERSION "\(.*\)"/\1/p' warpgrind/base/version.h)
    verdict "a release: without its changelog" "$(
        sed -i "/^## $version/d" CHANGELOG.md && git commit -qam "None" >/dev/null
        refuses "no section")"
    sed -i "s/^## Unreleased/## $version (today)/" CHANGELOG.md
    verdict "a release: of what is not committed" "$(refuses "no commit has")"
    git commit -qam "Name the section"
    verdict "a release" "$(release || tail -n 5 "$work/log")"
    name=warpschool-$version
    # The editor's bundle goes along, where npm brings its packages.
    verdict "a release: its files are the commit's" "$(diff <(tar -tzf "$built/release/$name.tar.gz" | grep -v '/$' | sed "s,^$name/,,; /^serve\/page\/bundle.js$/d" | sort) <(git ls-files | sort) | head -n 5)"
    verdict "a release: its sum" "$(cd "$built/release" && sha256sum --quiet -c "$name.tar.gz.sha256" 2>&1)"
    verdict "a release: its changelog" "$(head -n 1 "$built/release/$name.md" | grep -q '^###' || head -n 3 "$built/release/$name.md")"
    verdict "a release: it has the editor where npm brings it" "$([ ! -f "$built/serve/editor.js" ] || tar -tzf "$built/release/$name.tar.gz" | grep -q "^$name/serve/page/bundle.js$" || echo "it has not")"
    verdict "a release: it has the debugger's extension where npm brings what packs it" "$([ ! -f "$built/vsce/package-lock.json" ] || (cd "$built/release" && sha256sum --quiet -c "warpgrind-$version.vsix.sha256" 2>&1))"
    verdict "a release: its bill" "$(json_says '.bomFormat == "CycloneDX" and ([.components[].name] | index("clang") != null and index("bubblewrap") != null and length == (unique | length)) and all(.components[]; .purl | test("^pkg:(deb|npm)/[^ +]+$"))' "$built/release/$name.cdx.json" >"$work/log" 2>&1 || cat "$built/release/$name.cdx.json")"
    # Made again, elsewhere and later, by somebody with other habits, it is the same, byte for byte.
    mv "$built/release" "$work/first" && (cd "$work/first" && sha256sum "$name".*) >"$work/sums"
    find . -path ./.git -prune -o -type f -exec touch -d '+1 hour' {} +
    verdict "a release: made again it is the same" "$( (umask 077 && TZ=Asia/Tokyo LC_ALL=C release) || tail -n 5 "$work/log"; cd "$built/release" && sha256sum --quiet -c "$work/sums" 2>&1)"
    mkdir "$work/unpacked" && tar -xzf "$built/release/$name.tar.gz" -C "$work/unpacked"
    verdict "a release: it builds without git" "$(make -C "$work/unpacked/$name/warpgrind" --no-print-directory OPT=-O0 BUILD="$work/seed" "$work/seed/obj/engine/base/seed.o" >"$work/log" 2>&1 || tail -n 5 "$work/log")"
    git tag v"$version" HEAD~1
    verdict "a release: a version that is out" "$(refuses "is another commit")"
fi
finish
