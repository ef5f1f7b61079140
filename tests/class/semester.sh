#!/bin/bash
# A semester in seven systems: from what each lets a teacher download (semester.py) to what it imports, compared cell for cell with the files of
# tests/class/semester. In it: three downloads side by side, an extension, a late day, lateness without points, a group that drops its lowest lesson,
# points by hand and for an item of a rubric, comments to one and to everybody, a request and its answer, an excused lesson, one that is not excused after all,
# somebody who is removed and one who comes back, and numbers in place of names until the release. The programs are judged once, as plain folders that came too
# late; each system then brings them with the times that count.
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export LC_ALL=C.UTF-8 TZ=UTC TMPDIR=$work
warpschool=$build/bin/warpschool here=tests/class/semester
python3 tests/class/semester.py "$work" || exit 3

# ws BOOK ARGUMENTS...: a command on a book; what it says is in $work/said.
ws() { "$warpschool" --root . "${@:2}" --gradebook "$work/$1.db" --course $here/course.yaml >"$work/said" 2>&1; }
# number_of BOOK CELLS: the number of the one student with these cells for the three lessons.
number_of() { ws "$1" gradebook; awk -v cells="$2" '$2 " " $3 " " $4 == cells {print $1}' "$work/said"; }
tell() { echo "it said:" && cat "$work/said"; }
# same NAME EXPECTED FOUND: two files, cell for cell.
same() { verdict "$1" "$(diff "$here/$2" "$3" 2>&1)"; }

ws first grade "$work/first" --seed 5
verdict "judged once" "$(grep -q '^16 judged' "$work/said" || tell)"
[ -s "$work/first.db" ] || finish # each system begins with that book
ws first request "$(number_of first '(0) 11 0~')" 03 "the file was cut off" --file solutions/03-grid-stride/solution.cu --author ada
verdict "a request is judged" "$(grep -q '12 of 12' "$work/said" || tell)"

# semester SYSTEM GUEST FORMAT: the guest's name there, whom no list has, and what the system imports.
semester() {
    local system=$1 guest=$2 format=$3
    cp "$work/first.db" "$work/$system.db" && cp "$work/first.db.recovery" "$work/$system.db.recovery"
    ws "$system" grade "$work/$system" --roster "$work/$system.csv" --seed 5
    verdict "$system: three downloads are one class, and only the guest is new" "$(grep -q '^1 judged in .* 16 as before, 0 refused' "$work/said" || tell)"
    verdict "$system: no names before the release" "$(grep -v '^download\|column .folder' "$work/said" | grep -E 'Ann|annlee|1001')"
    ws "$system" export "$format"
    verdict "$system: and nothing goes out" "$([ $? -eq 2 ] && grep -q 'nothing is released' "$work/said" || tell)"
    say answer "$(number_of "$system" '(0) 11 0')" 03 "so it was" --accept
    say comment "$(number_of "$system" '12 (0) 9~')" 02 'an empty file; see C:\'
    say comment "$(number_of "$system" '12 (0) 9~')" 03 "say what the stride is" --item style --points -1
    say comment --everybody 03 "see page 3"
    say override "$(number_of "$system" '(-) 11 0~')" 01 6 --reason "shown in the lab"
    say gradebook --remove "$guest" --reason "a guest"
    say gradebook --remove 1006 --reason "has left"
    say gradebook --excuse 1005 --lesson 03 --reason ill
    say gradebook --excuse 1001 --lesson 02 --reason "at a conference"
    say gradebook --restore 1006 --reason "is back"
    say gradebook --restore 1001 --lesson 02 --reason "came after all"
    say gradebook --release all
    ws "$system" gradebook --history
    same "$system: what was said, by whom" history.txt <(sed -E 's/^[-0-9]+ [:0-9]+ UTC +//; s/^'"$guest"':/gus:/' "$work/said")
    ws "$system" export csv
    same "$system: grades" grades.csv <(python3 tests/class/columns.py student lesson verdict points max_points handed_in late_seconds late_penalty late_tokens \
        overridden override_reason item_points excuse_reason extension_reason group dropped <"$work/said")
    ws "$system" export "$format"
    [ ! -e "$here/$format.csv" ] || same "$system: the import file" "$format.csv" <([ "$format" != lti ] && cat "$work/said" ||
        python3 tests/class/columns.py userId lineItem scoreGiven scoreMaximum activityProgress gradingProgress comment <"$work/said")
}
say() { ws "$system" "$@" --author ada || cat "$work/said"; }

semester canvas 399 canvas
semester moodle 399 moodle
semester gradescope gus gradescope
ws gradescope export gradescope -o "$work/results/"
same "gradescope: a score for each" gradescope.txt <(for file in "$work"/results/*/results.json; do jq -r --arg id "$(basename "$(dirname "$file")")" '"\($id) \(.score)"' "$file"; done)
semester blackboard gusguest blackboard
ws blackboard export blackboard --lesson 03
same "blackboard: one assignment, with its comments" blackboard-03.csv "$work/said"
semester brightspace 399 brightspace
semester sakai gus sakai
semester github gusguest lti
finish
