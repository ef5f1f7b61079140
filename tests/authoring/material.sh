#!/bin/bash
# What a course needs around its lessons: plans that take lessons in an order that is possible, notes for each lesson, two exercises for each.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export LC_ALL=C.UTF-8
lessons=$(cd lessons && ls -d [0-9]*)
needs_of() { sed -n 's/^needs: *\[\(.*\)\].*/\1/p' "lessons/$1/lesson.yaml" | tr -d ','; }

longest=$(sed -n 's/^\([0-9]*\) .*/\1/p' lessons/plans.txt | sort -n | tail -n 1)
for weeks in $(sed -n 's/^\([0-9]*\) .*/\1/p' lessons/plans.txt | sort -nu); do
    numbers=$(awk -F'|' -v w="$weeks" '$1 + 0 == w { print $3 }' lessons/plans.txt | tr -s ' \n' ' ')
    week=$(awk -F'|' -v w="$weeks" '$1 + 0 == w { printf "%d ", $2 }' lessons/plans.txt)
    holds "the plan of $weeks weeks has each week once ($week)" "$([ "$week" = "$(seq -s' ' 1 "$weeks") " ]; echo $?)"
    seen=' '
    for number in $numbers; do
        lesson=$(cd lessons && echo "$number"-*)
        late=
        for need in $(needs_of "$lesson"); do [[ $seen == *" ${need%%-*} "* ]] || late="$late $need"; done
        holds "the plan of $weeks weeks has $lesson once, and after what it needs, not before:$late" "$([ -z "$late" ] && [[ $seen != *" $number "* ]]; echo $?)"
        seen="$seen$number "
    done
    for lesson in $lessons; do
        grep -q '^core: *true' "lessons/$lesson/lesson.yaml" || [ "$weeks" = "$longest" ] || continue
        holds "the plan of $weeks weeks has $lesson" "$([[ $seen == *" ${lesson%%-*} "* ]]; echo $?)"
    done
done
plans=$(sh authoring/material.sh plans | sed 's/&nbsp;/ /g')
minutes=$(awk -F'|' -v w="$longest" '$1 + 0 == w { print $3 }' lessons/plans.txt | tr -s ' \n' '\n\n' | while read -r number; do
    [ -z "$number" ] || sed -n 's/^minutes: *{read: *\([0-9]*\), do: *\([0-9]*\)}.*/\1 \2/p' lessons/"$number"-*/lesson.yaml
done | awk '{ n += $1 + $2 } END { printf "%d h %02d min", n / 60, n % 60 }')
holds "the times of the longest plan add up ($minutes)" "$(tail -n 1 <<<"$plans" | grep -qF " $minutes,"; echo $?)"
notes=$(sh authoring/material.sh notes)
for lesson in $lessons; do
    part=$(sed -n "/^## ${lesson%%-*} /,/^## /p" <<<"$notes")
    mutants=$(ls solutions/"$lesson"/mutants | wc -l)
    holds "the notes of $lesson have its $mutants mistakes" "$(grep -q "^\*\*What goes wrong.\*\* $mutants typical mistakes" <<<"$part"; echo $?)"
    holds "and questions to ask" "$(grep -qE '^\*\*To ask.\*\* .*: \*.+\*, \*.+\*' <<<"$part"; echo $?)"
    exercises=$(sed -n "/^## $lesson\$/,/^## /p" docs/exercises.md | grep -cE '^[0-9]\. ')
    holds "$lesson has two exercises beyond its code ($exercises)" "$([ "$exercises" -eq 2 ]; echo $?)"
done
for lesson in $(sed -n 's/^## \([0-9].*\)/\1/p' docs/exercises.md); do holds "exercises are of a lesson: $lesson" "$([ -d "lessons/$lesson" ]; echo $?)"; done
output=$(sh authoring/material.sh 2>&1)
holds "without a word it says what there is: $output" "$([ $? -eq 2 ] && [ "$output" = 'usage: material.sh plans|notes' ]; echo $?)"
finish
