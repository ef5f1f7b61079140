#!/bin/sh
# Writes what the tool says of a mutant to OUT, and its picture beside it: LESSON MUTANT OUT. Where the report is kept, as in the repository of a
# class, that is all there is. BUILD names the build folder.
set -eu
lesson=$1 mutant=$2 out=$3
kept=lessons/$lesson/reports/$mutant.txt picture=${out%.txt}.html file=solutions/$lesson/mutants/$mutant.cu
build=${BUILD:-build}
export NO_COLOR=1 COLUMNS=80 LC_ALL=C.UTF-8
if [ -f "$kept" ]; then
    cp "$kept" "$out"
    exit 0
fi
status=0
"$build/bin/warpschool" check "$lesson" "$file" >"$out.new" || status=$?
# A mistake that costs points passes, and is noted.
[ "$status" -ne 0 ] || ! grep -q 'over-budget' "$out.new" || status=1
[ "$status" -eq 1 ] || { echo "$file: exit status $status" >&2; exit 1; }
# The picture is of a run of its own, in which each case has its program: what that finds may differ from what a learner reads.
"$build/bin/warpschool" check "$lesson" "$file" --picture "$picture" >"$out.pictured" 2>&1 || [ $? -eq 1 ] || { cat "$out.pictured" >&2; exit 1; }
rm "$out.pictured"
[ ! -f "$picture" ] || sh "$(dirname "$0")/trim.sh" "$picture"
mv "$out.new" "$out"
