#!/bin/bash
# make test-deb: the packages that make deb has made, or those in the folder DEBS. lintian finds no error; and in a fresh root of each of RELEASES they are
# installed beside what they depend on, debian/tests pass with the installed files as an ordinary user, and what they brought is gone when they are purged.
# KEEP=folder keeps the roots there and uses them again. Not part of make test: it brings some 300 MB for each release.
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/debian/root.bash
roots=${KEEP:-$work} releases=${RELEASES:-bookworm trixie}
debs=${DEBS:-$build/deb}
[ -n "${DEBS:-}" ] || sh debian/deb.sh "$debs" >/dev/null || exit 3

if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error --tag-display-limit 0 "$debs"/*.changes >"$work/lintian" 2>&1
    status=$?
    cat "$work/lintian"
    verdict "lintian" "$(((status == 0)) || grep '^E' "$work/lintian")"
else
    echo "SKIPPED lintian: it is not installed"
fi

# What lies in the root, but for what every package leaves somewhere, and what a program keeps for itself.
files_of() { # root
    (cd "$1" && find . -xdev \( -path './proc' -o -path './sys' -o -path './dev' -o -path './run' -o -path './tmp' -o -path './home' -o -path './root' \
        -o -path './srv' -o -path './var/cache' -o -path './var/log' -o -path './var/lib/apt' -o -path './var/lib/dpkg' \) -prune -o -print | sort)
}

try_release() { # release
    local root=$roots/$1 out=$work/out test said names
    mkdir -p "$roots"
    make_root "$1" "$root" ca-certificates || { verdict "$1: a root" "there is none" && return; }
    rm -rf "$root/srv/debs" "$root/srv/tree"
    mkdir -p "$root/srv/debs" "$root/srv/tree"
    cp "$debs"/*.deb "$root/srv/debs/"
    git ls-files -co --exclude-standard debian solutions starter 'lessons/*/lesson.yaml' warpgrind/tests/ci | xargs cp --parents -t "$root/srv/tree"
    inside "$root" / 'id learner >/dev/null 2>&1 || useradd -m learner; apt-get update -qq; apt-get -qq -s install --no-install-recommends /srv/debs/*.deb' >"$out" 2>&1
    names=$(awk '/^Inst/ && $2 !~ /^warp/ { print $2 }' "$out" | xargs)
    inside "$root" / "apt-get install -qq -y --no-install-recommends $names cmake gcc g++ pkgconf mpich libmpich-dev procps" >"$out" 2>&1
    verdict "$1: what they depend on" "$([ $? -eq 0 ] || tail -n 5 "$out")"
    files_of "$root" >"$work/before"
    inside "$root" / 'apt-get install -qq -y --no-install-recommends /srv/debs/*.deb' >"$out" 2>&1
    verdict "$1: installed" "$([ $? -eq 0 ] && ! grep -iE '^(dpkg: )?(warning|error)' "$out" || tail -n 5 "$out")"
    while read -r test; do
        said=$(inside "$root" /srv/tree "export AUTOPKGTEST_TMP=\$(setpriv --reuid learner --regid learner --clear-groups mktemp -d) HOME=/home/learner; setpriv --reuid learner --regid learner --clear-groups debian/tests/$test" 2>&1)
        verdict "$1: $test" "$([ $? -eq 0 ] || tail -n 12 <<<"$said")"
    done < <(sed -n 's/^Tests: //p' debian/tests/control | xargs -n 1)
    inside "$root" / 'apt-get purge -qq -y warpgrind warpschool warpschool-doc' >"$out" 2>&1
    verdict "$1: purged" "$([ $? -eq 0 ] && ! grep -iE '^(dpkg: )?(warning|error)' "$out" || tail -n 5 "$out")"
    files_of "$root" >"$work/after"
    verdict "$1: nothing is left" "$(diff "$work/before" "$work/after" | grep '^[<>]' | head -n 5)"
}
for release in $releases; do try_release "$release"; done
finish
