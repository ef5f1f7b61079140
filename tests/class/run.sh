#!/bin/bash
# A class whose grades are known (make.py) is graded twice: once undisturbed, and once killed in the middle and begun again. Both times
# each grade is the expected one, and the scores are the same; a third time nothing is left to judge.
# STUDENTS and LESSONS say how large the class is. BUILD names the build folder. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export LC_ALL=C.UTF-8
students=${STUDENTS:-30} lessons=${LESSONS:-1}
warpschool=$build/bin/warpschool

# grade NAME OPTIONS...: a grading with a book of its own; leaves NAME.log and $status.
grade() {
    "$warpschool" --root . grade "$work/submissions" --gradebook "$work/$1.db" --csv "$work/$1.csv" --seed 5 "${@:2}" >"$work/$1.log" 2>&1
    status=$?
}
seconds() { echo "$((SECONDS - begun)) s"; }

python3 tests/class/make.py "${SEED:-1}" "$students" "$lessons" "$work" || exit 3
begun=$SECONDS
grade whole
verdict "undisturbed: it ends with all decided" "$([ $status -eq 0 ] || { echo "status $status"; tail -n 5 "$work/whole.log"; })"
verdict "undisturbed: each grade is as expected" "$(python3 tests/class/compare.py "$work/whole.csv" "$work/expected.tsv" 2>&1 | head -n 20)"
echo "graded $(wc -l <"$work/expected.tsv") grades in $(seconds): $(grep judged "$work/whole.log")"

half=$(($(grep -cE '(pass|fail)$' "$work/expected.tsv") / 2))
export WARPSCHOOL_KILL_AT=recorded:$half
grade killed
unset WARPSCHOOL_KILL_AT
verdict "killed: in the middle" "$([ $status -eq 137 ] || echo "status $status")"
grade killed
verdict "killed: the next run ends with all decided" "$([ $status -eq 0 ] || { echo "status $status"; tail -n 5 "$work/killed.log"; })"
verdict "killed: what was graded is kept" "$(tr -d , <"$work/killed.log" | grep -q " $half as before" || grep judged "$work/killed.log" || echo 'it does not say')"
verdict "killed: the same grades" "$(python3 tests/class/compare.py "$work/whole.csv" "$work/killed.csv" 2>&1 | head -n 20)"
verdict "killed: nothing is left behind" "$([ ! -e "$work/killed.db.jobs" ] || ls "$work/killed.db.jobs")"
grade killed
verdict "again: nothing is judged" "$(grep -q '^0 judged' "$work/killed.log" || tail -n 3 "$work/killed.log")"
finish
