#!/bin/sh
# `make new-lesson NAME=...`: makes a lesson of authoring/new-lesson that builds and can be checked at once. What it needs from its author says FILL IN, and the
# author's checks (make check-lesson) fail there and nowhere else. NAME is halo-exchange, or 26-halo-exchange to give it a number.
set -eu
cd "$(dirname "$0")/.."
wanted=${1:-}
table=authoring/new-lesson

refuse() { # message, remedy
    printf 'new-lesson: %s\n  %s\n' "$1" "$2" >&2
    exit 2
}

next_number() {
    last=$(for folder in lessons/[0-9][0-9]-*; do basename "$folder"; done | cut -c1-2 | sort | tail -n 1)
    number=$((${last#0} + 1))
    [ "$number" -le 99 ] || refuse "there are lessons up to 99" "give a number that is free: NAME=42-${wanted:-name}"
    printf '%02d' "$number"
}

# Names become parts of C names, judge_26_halo_exchange, and a folder's: small letters and digits, with single dashes between.
[ -n "$wanted" ] || refuse "the name is missing" "make new-lesson NAME=halo-exchange"
case $wanted in
[0-9][0-9]-*) number=${wanted%%-*} name=${wanted#*-} ;;
*) number= name=$wanted ;;
esac
[ "${#name}" -le 30 ] || refuse "\`$name\` is longer than 30 characters" "a lesson's name is one to three words, as in block-sum-static"
printf '%s\n' "$name" | LC_ALL=C grep -qxE '[a-z][a-z0-9]*(-[a-z0-9]+)*' && [ "$(printf '%s\n' "$wanted" | wc -l)" -eq 1 ] ||
    refuse "\`$name\` cannot be the name of a lesson" "small letters and digits, words with a dash between them: halo-exchange"
[ -n "$number" ] || number=$(next_number)
[ "$number" != 00 ] || refuse "numbers of lessons begin with 01" "leave the number out, and the next one is taken"
for folder in lessons/"$number"-* lessons/[0-9][0-9]-"$name" solutions/"$number"-*; do
    [ ! -e "$folder" ] || refuse "$folder is there already" "give another name, or a number that is free"
done
lesson=$number-$name
underscored=$(printf '%s' "$name" | tr - _)
function=run_$underscored # never a word of C++, whatever the lesson is called
title=$(printf '%s' "$name" | tr - ' ' | awk '{ print toupper(substr($0, 1, 1)) substr($0, 2) }')
# What the solution's longest thread takes, as tests/lessons/run.sh measures it.
reference=34

fill() { # template, file
    mkdir -p "$(dirname "$2")"
    sed -e "s/@LESSON@/$lesson/g" -e "s/@NUMBER@/$number/g" -e "s/@FUNCTION@/$function/g" -e "s/@ID@/judge_${number}_$underscored/g" \
        -e "s/@TITLE@/$title/g" -e "s/@REFERENCE@/$reference/g" "$table/$1.in" >"$2"
}

# Lines of the two lists that name every lesson: the last group of the course, and the README's table.
enter_in_lists() {
    if grep -q '^In the making ' lessons/groups.txt; then
        sed -i "/^In the making /s/\$/ $number/" lessons/groups.txt
    else
        printf '%-24s | %s\n' "In the making" "$number" >>lessons/groups.txt
    fi
    awk -v row="| $number | $name | FILL IN what one writes |" -v number="$number" '
        /^\| [0-9][0-9] \| / { inside = 1; if (!done && substr($0, 3, 2) > number) { print row; done = 1 } }
        inside && !/^\|/ && !done { print row; done = 1 }
        { print }' README.md >"README.md.$$"
    cat "README.md.$$" >README.md
    rm "README.md.$$"
}

for file in judge.c driver.cu hidden.def lesson.yaml lesson.md figures/sketch.svg; do fill "$file" "lessons/$lesson/$file"; done
for file in solution.cu mutants/missing-guard.cu hidden/blocks-by-trial.cu alternatives/grid-stride.cu; do fill "$file" "solutions/$lesson/$file"; done
awk -f lessons/common/starter.awk "solutions/$lesson/solution.cu" >"starter/$lesson.cu"
enter_in_lists
cat <<END
$lesson is there: lessons/$lesson, solutions/$lesson, starter/$lesson.cu, a line each in lessons/groups.txt and README.md.
Next: make check-lesson LESSON=$lesson    (what is still to be filled in)
      docs/teaching.md, "Add a lesson", has the steps.
END
