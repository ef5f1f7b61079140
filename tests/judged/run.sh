#!/bin/bash
# Mistakes that only a lesson's judge can see, each to be named at its line; and right submissions that look wrong, each to pass: see one.sh.
# Which sentences of warpgrind each is told stands in tests/sentences.txt, and each sentence must be told to some program of that table or warpgrind's, or be expected elsewhere.
# FILTER limits the run. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export BUILD=$build NO_COLOR=1 LC_ALL=C.UTF-8
export KINDS=$work/kinds.json
sh warpgrind/tests/mistakes/severities.sh >"$KINDS"
export MARGINS=$work/margins.json # of all: one start of jq, which takes longer than most programs do
sh warpgrind/tests/mistakes/margins.sh tests/judged/*.cu >"$MARGINS"
for source in tests/judged/*.cu; do
    selected "$(basename "$source" .cu)" && echo "$source"
done | drawn 4 "mistakes and right submissions" >"$work/jobs"
export REPORTS=$work/reports
mkdir "$REPORTS"
xargs -r -L 1 -P "$workers" bash tests/judged/one.sh <"$work/jobs" >"$work/output"
sentences tests/sentences.txt warpgrind/check/texts.txt >>"$work/output"
if selected sentences; then
    python3 warpgrind/tests/sentences.py --all warpgrind/check/texts.txt warpgrind/tests/sentences.txt tests/sentences.txt >>"$work/output"
fi
grep -v '^PASSED$' "$work/output"
passed=$(grep -c '^PASSED$' "$work/output") failed=$(grep -cv '^PASSED$' "$work/output")
finish
