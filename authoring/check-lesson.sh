#!/bin/sh
# `make check-lesson LESSON=...`: the author's checks of one lesson: its files through the judge, and its page. LESSON is a number or the beginning of a name.
set -eu
cd "$(dirname "$0")/.."
wanted=${1:-}
[ -n "$wanted" ] || { printf 'check-lesson: the lesson is missing\n  make check-lesson LESSON=07\n' >&2; exit 2; }
found=
for folder in lessons/"$wanted"* lessons/[0-9][0-9]-"$wanted"; do
    [ ! -d "$folder" ] || found="$found ${folder#lessons/}"
done
# shellcheck disable=SC2086 # words
set -- $found
[ $# -eq 1 ] || { printf 'check-lesson: `%s` is %s\n  the folders of lessons/ have their names\n' "$wanted" "${found:-no lesson}" >&2; exit 2; }
status=0
echo "The files of $1, each through the judge:"
FILTER=$1 bash tests/lessons/run.sh || status=1
echo "Its page, manifest and lists:"
FILTER=$1 bash tests/lessons/pages.sh || status=1
exit $status
