#!/bin/bash
# Mistakes that only a lesson's judge can see, each to be named at its line; and right submissions that look wrong, each to pass: see one.sh.
# FILTER limits the run. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export BUILD=$build NO_COLOR=1 LC_ALL=C.UTF-8
export KINDS=$work/kinds.json
sh warpgrind/tests/mistakes/severities.sh >"$KINDS"
export MARGINS=$work/margins.json # of all: one start of jq, which takes longer than most programs do
sh warpgrind/tests/mistakes/margins.sh tests/judged/*.cu >"$MARGINS"
for source in tests/judged/*.cu; do
    selected "$(basename "$source" .cu)" && echo "$source"
done >"$work/jobs"
xargs -r -L 1 -P "$(nproc)" bash tests/judged/one.sh <"$work/jobs" >"$work/output"
grep -v '^PASSED$' "$work/output"
passed=$(grep -c '^PASSED$' "$work/output") failed=$(grep -cv '^PASSED$' "$work/output")
finish
