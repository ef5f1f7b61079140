#!/bin/sh
# `make check-lesson LESSON=...`: the author's checks of one lesson: its files through the judge, and its page; then what to do next, in order. LESSON is a
# number or the beginning of a name.
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
lesson=$1
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# What failed, what is to be filled in, and what is wished: FAILS, FILL or WISH and its name, one a line.
problems() {
    sed -n -E "s/^FAILED /fails /p; s/^WISH (.* (words|no note).*)/wish \1/p" "$said"
    sed -n 's/^WISH .* is filled in: //p' "$said" | grep -oE '[^ ]+ \([0-9]+\)' | sed "s,^[a-z]*/$lesson/,,; s/^/fill /" | grep -v '^fill starter/' || true
}

# Every row of the table that some problem fits, in the table's order, with the problems; each problem counts once.
next_steps() {
    problems | awk -F '|' '
        FILENAME == "-" { problem[++count] = $0; next }
        /^#/ { next }
        {
            head = 0
            for (i = 1; i <= count; i++) {
                if (done[i] || problem[i] !~ "^" $1) continue
                done[i] = 1
                what = problem[i]
                sub(/^[a-z]+ /, "", what)
                if (!head++) printf "%3d. %s\n", ++number, $2
                print "       " what
            }
        }' - authoring/next-steps.txt
}

{
    echo "The files of $lesson, each through the judge:"
    FILTER=$lesson bash tests/lessons/run.sh || true
    echo "Its page, manifest and lists:"
    LESSON=$lesson FILTER=$lesson bash tests/lessons/pages.sh || true
} >"$said"
grep -v '^WISH ' "$said"
steps=$(next_steps)
if [ -n "$steps" ]; then
    printf 'What to do next, in this order:\n%s\n' "$steps"
else
    echo "Nothing is left to do. make notes builds its page; make lesson-pack LESSON=$lesson packs it for others."
fi
! grep -qE '^FAILED |^[0-9]+ passed, [1-9][0-9]* failed' "$said"
