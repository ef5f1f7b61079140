#!/bin/bash
# One program of this folder, SOURCE: `warpschool check` judges it, as a submission of the lesson that its first lines name (/* lesson: 01 */), and its
# findings are compared with its margins. Prints "PASSED" or "FAILED ..." for each comparison.
set -u
source=$1
. warpgrind/tests/mistakes/margins.bash

lesson=$(head_field lesson)
if expects_nothing; then
    echo "FAILED $name expects nothing"
else
    "$BUILD/bin/warpschool" check "$lesson" "$source" --json >"$work/report.json" 2>"$work/log"
    keep "lesson $lesson"
    check_words "lesson $lesson"
    compare_all
fi
