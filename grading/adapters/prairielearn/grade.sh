#!/bin/sh
# The entry point of a PrairieLearn question's image: LESSONS, in the question's `environment`, says which lessons /grade/student holds.
set -u
tree=$(cd "$(dirname "$0")/../../.." && pwd) || exit 3
grade=${GRADE:-/grade}
results=$(mktemp -d) || exit 3
mkdir -p "$grade/results" || exit 3
# shellcheck disable=SC2086 # a list of words
sh "$tree/grading/adapters/grade.sh" "$grade/student" "$results" ${LESSONS:?which lessons?}
[ $? -ne 2 ] || exit 3
"$tree/build/bin/warpschool" export prairielearn "$results"/*.json -o "$grade/results/results.json"
