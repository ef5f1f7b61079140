#!/bin/bash
# The README keeps its word: its transcript is what the commands print, every file and make target it names exists, and
# `make help` lists targets that exist. What docs/HACKING.md names exists as well. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export NO_COLOR=1 LC_ALL=C.UTF-8 COLUMNS=100

# The targets that make has rules for, without making any.
make -qp BUILD="$build" : 2>/dev/null | awk '/^# Not a target/ { getline; next } /^[a-z][a-z0-9-]*:([^=]|$)/ { sub(/:.*/, ""); print }' | sort -u >"$work/targets"
is_target() { grep -qx -- "$1" "$work/targets"; }

# ---- the transcript: each "$ command", run in the folder that is tested ----

transcript() { sed -n '/^```console$/,/^```$/p' README.md | sed '/^```/d'; }
written=$(transcript)
ran=$(while read -r command; do
    echo "\$ $command"
    bash -c "${command//build\//$build/}" 2>&1 | sed "s,$build/,build/,g"
done < <(sed -n 's/^\$ //p' <<<"$written"))
holds "the README has a transcript with findings" "$(grep -q '^error: shared-race' <<<"$written"; echo $?)"
diff <(echo "$written") <(echo "$ran") >"$work/diff"
holds "the transcript is what the commands print: $(head -n 6 "$work/diff")" "$([ ! -s "$work/diff" ]; echo $?)"

# ---- every file it names: links, and paths in code; what is made is there after the build ----

while read -r path; do
    path=${path%%#*}
    case $path in
    build/sum | build/site/* | work/*) continue ;; # made by the commands beside them
    build/*) path=$build/${path#build/} ;;
    esac
    compgen -G "$path" >/dev/null
    holds "README.md names $path, which does not exist" $?
done < <({ grep -oE '\]\([^)]+\)' README.md | sed 's/^](//;s/)$//' | grep -v '^https\{0,1\}:'
    sed '/^```/,/^```$/d' README.md | grep -oE '`[^`]+`' | tr -d '`' | tr ' ' '\n' | grep -E '^[a-z]+/[^ ]+$'; } | sort -u)

# ---- docs/HACKING.md walks through the sources: every file and every function that it names ----

while read -r name; do
    case $name in
    build/*) continue ;; # made by the commands beside them
    */*) compgen -G "$name" >/dev/null ;;
    *_*) grep -rqw --include='*.[ch]' -- "$name" warpgrind ;;
    *) continue ;;
    esac
    holds "docs/HACKING.md names $name, which does not exist" $?
done < <(sed '/^```/,/^```$/d' docs/HACKING.md | grep -oE '`[A-Za-z0-9_./*-]+`' | tr -d '`' | sort -u)

# ---- every lesson in its table, and every lesson's folder in the table ----

listed=$(sed -n 's/^| \([0-9][0-9]\) | \([a-z0-9-]*\) |.*/\1-\2/p' README.md)
holds "the table of lessons is the folders" "$([ "$listed" = "$(cd lessons && ls -d [0-9]*)" ]; echo $?)"

# ---- make targets ----

help=$(make -s BUILD="$build" help)
holds "make help ends well and says something" "$([ "$(wc -l <<<"$help")" -gt 10 ]; echo $?)"
named=$({ sed -n '/^```sh$/,/^```$/p' README.md; grep -oE '`make [a-z ]+`' README.md | tr -d '`'; } | sed -n 's/^make \([a-z ]*\).*/\1/p' | tr ' ' '\n' | sort -u)
for target in $named; do
    is_target "$target"
    holds "README.md names make $target, which does not exist" $?
done
while read -r target; do
    is_target "$target"
    holds "make help names $target, which does not exist" $?
done < <(sed -n 's/^  make \([a-z0-9-]*\).*/\1/p' <<<"$help" | sort -u)
for target in exercise watch hint list reset doctor notes test bench lint setup; do
    grep -q "^  make $target\b" <<<"$help"
    holds "make help does not name $target" $?
done
# ---- what stands in the root: what someone looks for there, and nothing that a command left ----

stray() { grep -v / | grep -vxE 'Makefile|LICENSE|\.[a-z-]+|[A-Z]+\.md'; }
verdict "the root holds the project's own files alone" "$(git ls-files -co --exclude-standard | stray)"
verdict "a file left there is noticed (the test of this test)" "$(echo trace.txt | stray | grep -qx trace.txt || echo "it is not")"
# waits_for SUITE WORD: whether make would run something with this word for it.
waits_for() { make -n test SUITE="$1" 2>/dev/null | grep -q "$2"; }
verdict "a suite that reads no page does not wait for the pages" "$(waits_for cc docs/build/site.sh && echo "it waits")"
verdict "a suite that reads the pages waits for them" "$(waits_for site docs/build/site.sh || echo "it does not")"
is_target no-such-target
holds "an unknown target is noticed (the test of this test)" "$([ $? -ne 0 ]; echo $?)"
finish
