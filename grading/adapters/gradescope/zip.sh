#!/bin/sh
# `make gradescope LESSONS="07 08"`: the zip file to upload as an autograder: zip.sh FILE WEAK LESSON...
# Codio's wrapper takes the same file.
set -eu
cd "$(dirname "$0")/../../.."
case ${1:-} in /*) out=$1 ;; *) out=$PWD/${1:-} ;; esac
weak=$2
shift 2
[ $# -gt 0 ] || { echo 'Which lessons? make gradescope LESSONS="07 08"' >&2; exit 2; }
for lesson; do
    [ -n "$(find lessons -maxdepth 1 -name "$lesson*" -print -quit)" ] || { echo "gradescope: there is no lesson $lesson" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp grading/adapters/gradescope/setup.sh grading/adapters/gradescope/run_autograder "$work"
chmod 755 "$work/setup.sh" "$work/run_autograder"
echo "$@" >"$work/lessons"
echo "$weak" >"$work/weak"
sh grading/adapters/pack.sh "$work/warpschool.tar.gz"
rm -f "$out"
(cd "$work" && zip -q -X "$out" setup.sh run_autograder lessons weak warpschool.tar.gz)
echo "$out: upload it as the assignment's autograder (docs/adapters.md)"
