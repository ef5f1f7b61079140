#!/bin/bash
# A new lesson (make new-lesson), in a copy of the tree: it builds at once, its author's checks fail where it says FILL IN and nowhere else, and what is
# mistaken in a name, a manifest or a judge is said with file, line and remedy, while the other lessons still work.
# BUILD names the build folder, whose objects the copy takes over. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export LC_ALL=C.UTF-8 NO_COLOR=1
. tests/authoring/copies.bash
filter=${FILTER:-}
unset FILTER
selected() { [[ $1 == *"$filter"* ]]; }
tree=$work/tree
mkdir "$tree"
git ls-files -co --exclude-standard -z | xargs -0 cp -p --parents -t "$tree" 2>/dev/null
take_build "$tree"
cd "$tree" || exit 3

refused() { # NAME, words of the message
    local before output status
    before=$(ls lessons solutions starter)
    output=$(make -s new-lesson NAME="$1" 2>&1)
    status=$?
    verdict "refused: '$1'" "$([ $status -ne 0 ] && grep -qF -- "$2" <<<"$output" && [ "$before" = "$(ls lessons solutions starter)" ] || echo "exit status $status: $output")"
}
refused "" "the name is missing"
refused "Halo" "cannot be the name of a lesson"
refused "halo_exchange" "cannot be the name of a lesson"
refused "-halo" "cannot be the name of a lesson"
refused "halo--exchange" "cannot be the name of a lesson"
refused "../halo" "cannot be the name of a lesson"
refused "01-halo" "lessons/01-vector-add is there already"
refused "scan" "lessons/24-scan is there already"
refused "00-halo" "begin with 01"
refused "a-name-that-no-line-of-a-list-has-room-for" "longer than 30 characters"

next=$(($(ls -d lessons/[0-9]* | wc -l) + 1))
lesson=$next-halo-exchange
output=$(make -s new-lesson NAME=halo-exchange 2>&1)
holds "it takes the next number, and says what comes next: $output" "$([ -d "lessons/$lesson" ] && grep -q "make check-lesson LESSON=$lesson" <<<"$output"; echo $?)"
output=$(make -s new-lesson NAME=90-int 2>&1)
holds "or the one that is given; a word of C++ will do: $output" "$([ -d lessons/90-int ] && ls -d lessons/90-int >/dev/null; echo $?)"
output=$(make -s all 2>&1)
holds "both build at once: ${output: -500}" $?
verdict "both are listed" "$(build/bin/warpschool list 2>&1 | grep -cE "^[> ]+ ($lesson|90-int) " | grep -vx 2)"
holds "its table has them" "$(grep -q "^| $next | halo-exchange |" README.md && grep -q "^In the making *| $next 90\$" lessons/groups.txt; echo $?)"
holds "its judge has the house's layout" "$(clang-format --dry-run -Werror "lessons/$lesson/judge.c" >/dev/null 2>&1; echo $?)"

# What the author's checks say: what is to be filled in, and nothing else.
output=$(make -s check-lesson LESSON="$next" 2>&1)
failed_checks=$(sed -n 's/^FAILED //p' <<<"$output" | sed -E "s/^$lesson //; s/ \(has [0-9]+\)//; s/:.*//")
verdict "it fails only where it is to be filled in" "$([ "$failed_checks" = "mutants
has 900 to 1400 words
is filled in" ] || echo "$output")"
unfilled=$(sed -n "s/^FAILED $lesson is filled in: //p" <<<"$output")
for file in README.md "lessons/$lesson"/{lesson.yaml,lesson.md,judge.c,hidden.def,figures/sketch.svg} "solutions/$lesson/solution.cu"; do
    holds "$file says what is to be filled in" "$(grep -qF "$file (" <<<"$unfilled"; echo $?)"
done
holds "a word of C++ for a name does no harm" "$(build/bin/warpschool check 90 solutions/90-int/solution.cu >/dev/null 2>&1; echo $?)"
holds "a lesson that is not there is no lesson" "$(make -s check-lesson LESSON=77 2>&1 | grep -q '`77` is no lesson'; echo $?)"

manifest=lessons/$lesson/lesson.yaml
cp "$manifest" "$work/manifest"
mistaken() { # what, sed's edit, line, words of the message, words of the remedy
    sed -E "$2" "$work/manifest" >"$manifest"
    local output status
    output=$(build/bin/warpschool check 01 starter/01-vector-add.cu 2>&1)
    status=$?
    verdict "manifest: $1" "$([ $status -eq 3 ] && grep -qE "$manifest:$3:[0-9]+: error: .*$4|$manifest:$3: error: .*$4" <<<"$output" && grep -qE -- "$5" <<<"$output" || echo "exit status $status: $output")"
    cp "$work/manifest" "$manifest"
}
line_of() { grep -n -m 1 "$1" "$work/manifest" | cut -d: -f1; }
mistaken "an unknown key" 's/^summary:/sumary:/' "$(line_of '^summary:')" 'unknown key `sumary`' 'the keys here are: title, '
mistaken "no finding of that name" 's/^starter_fails: .*/starter_fails: wrong/' "$(line_of '^starter_fails:')" 'must be the name of a finding' 'warpgrind explain'
mistaken "a number out of its range" 's/seconds: 10/seconds: 0/' "$(line_of '^limits:')" 'a whole number in its range' 'from 1 to 600'
mistaken "a budget of nothing known" 's/what: longest_thread/what: longest_tread/' "$(line_of 'what: longest')" 'does not know `longest_tread`' 'there are: .*longest_thread'
mistaken "a flag that is neither" 's/^core: false/core: perhaps/' "$(line_of '^core:')" 'must be true or false' 'docs/ARCHITECTURE.md, section Lessons'
mistaken "an expression that is none" 's,at_most: .*,at_most: "200 + n /",' "$(line_of 'at_most')" '`at_most`' 'docs/ARCHITECTURE.md, section Lessons'
mistaken "a lesson needed that is not there" 's/^needs: .*/needs: [01-vector-sum]/' "$(line_of '^needs:')" 'there is no lesson `01-vector-sum`' 'write a folder of lessons/ in full'
mistaken "no YAML" 's/^points: .*/points: {clean: 2/' "$(($(line_of '^points:') + 1))" 'this is not YAML' 'docs/ARCHITECTURE.md, section Lessons'

# Lesson 01 copied by hand, as people do.
cp -r lessons/01-vector-add lessons/91-copied && cp -r solutions/01-vector-add solutions/91-copied
output=$(make -s all 2>&1)
holds "a lesson that was copied by hand is said: ${output: -500}" "$([ $? -eq 0 ] && grep -q '^lessons/91-copied/judge.c:[0-9]*: `judge_01_vector_add` is the judge of another folder; this one.s is `judge_91_copied`' <<<"$output"; echo $?)"
holds "and the others still work" "$(build/bin/warpschool check 01 solutions/01-vector-add/solution.cu >/dev/null 2>&1; echo $?)"
sed -i 's/judge_01_vector_add/judge_91_copied/' lessons/91-copied/judge.c
output=$(make -s all 2>&1)
holds "so is the name in it: ${output: -300}" "$(grep -q '^lessons/91-copied/judge.c:[0-9]*: the judge says that it is of "01-vector-add"' <<<"$output"; echo $?)"
sed -i 's/"01-vector-add"/"91-copied"/' lessons/91-copied/judge.c
output=$(make -s all 2>&1)
holds "with both changed it is a lesson" "$([ -z "$output" ] || ! grep -q 91-copied/judge.c: <<<"$output"; build/bin/warpschool check 91 solutions/91-copied/solution.cu >/dev/null 2>&1; echo $?)"
finish
