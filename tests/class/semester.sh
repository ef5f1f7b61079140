#!/bin/bash
# A semester in five systems: from what each lets a teacher download (semester.py) to what it imports, compared cell for cell with the files of
# tests/class/semester. In it: three downloads side by side, an extension, a late day, lateness without points, a group that drops its lowest lesson,
# points by hand and for an item of a rubric, a request and its answer, an excused lesson, somebody who is removed, and numbers in place of names until
# the release. The programs are judged once, as plain folders that came too late; each system then brings them with the times that count.
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

# semester SYSTEM GUEST: the guest's name there, whom no list has.
semester() {
    local system=$1 guest=$2
    cp "$work/first.db" "$work/$system.db" && cp "$work/first.db.recovery" "$work/$system.db.recovery"
    ws "$system" grade "$work/$system" --roster "$work/$system.csv" --seed 5
    verdict "$system: three downloads are one class, and only the guest is new" "$(grep -q '^1 judged in .* 16 as before, 0 refused' "$work/said" || tell)"
    verdict "$system: no names before the release" "$(grep -v '^download\|column .folder' "$work/said" | grep -E 'Ann|annlee|1001')"
    ws "$system" export canvas
    verdict "$system: and nothing goes out" "$([ $? -eq 2 ] && grep -q 'nothing is released' "$work/said" || tell)"
    ws "$system" answer "$(number_of "$system" '(0) 11 0')" 03 "so it was" --accept --author ada || cat "$work/said"
    ws "$system" comment "$(number_of "$system" '12 (0) 9~')" 03 "say what the stride is" --item style --points -1 --author ada || cat "$work/said"
    ws "$system" override "$(number_of "$system" '(-) 11 0~')" 01 6 --reason "shown in the lab" --author ada || cat "$work/said"
    ws "$system" gradebook --remove "$guest" --reason "a guest" --author ada || cat "$work/said"
    ws "$system" gradebook --excuse 1005 --lesson 03 --reason ill --author ada || cat "$work/said"
    ws "$system" gradebook --release all --author ada || cat "$work/said"
    ws "$system" gradebook --history
    same "$system: what was said, by whom" history.txt <(sed -E 's/^[-0-9]+ [:0-9]+ UTC +//; s/^'"$guest"':/gus:/' "$work/said")
    ws "$system" export csv
    same "$system: grades" grades.csv <(python3 tests/class/columns.py student lesson verdict points max_points handed_in late_seconds late_penalty late_tokens \
        overridden override_reason item_points excuse_reason extension_reason group dropped <"$work/said")
}

semester canvas 399
ws canvas export canvas
same "canvas: the import file" canvas.csv "$work/said"
semester moodle 399
ws moodle export moodle
same "moodle: the import file" moodle.csv "$work/said"
semester gradescope gus
ws gradescope export gradescope -o "$work/results/"
same "gradescope: a score for each" gradescope.txt <(for file in "$work"/results/*/results.json; do jq -r --arg id "$(basename "$(dirname "$file")")" '"\($id) \(.score)"' "$file"; done)
for system in blackboard brightspace; do
    semester $system "$([ $system = blackboard ] && echo gusguest || echo 399)"
    ws $system export lti
    same "$system: the scores" lti.csv <(python3 tests/class/columns.py userId lineItem scoreGiven scoreMaximum activityProgress gradingProgress comment <"$work/said")
done
finish
