# What `make time` and `make profile` begin with: the lesson, the file, and a card that can be asked. Sourced with the command's name, LESSON, FILE and
# whether the command has a harness; leaves $lesson, $file, $build, $out, and in $out/check.json what the judge says of the file on the card.
command=$1
build=${BUILD:-build}
number=${2:?which lesson}
fail() { # status, words
    echo "make $command: $2" >&2
    exit "$1"
}
folder=$(find lessons -maxdepth 1 -name "${number:0:2}-*")
[ -n "$folder" ] || fail 2 "there is no lesson $number"
lesson=$(basename "$folder")
harness=bench/card/$lesson.cu
file=${3:-work/$lesson.cu}
[ -f "$file" ] || fail 2 "there is no $file yet: make exercise LESSON=${number:0:2}"
out=$build/bench/$command
mkdir -p "$out"

# The judge finds nvcc and the card, says what is missing, and whether the answers are right. A learner's own file may do without a sandbox.
judge() { "$build/bin/warpschool" check "$lesson" "$file" --device cuda --json "$@" >"$out/check.json" || true; }
judge
if [ "$(jq -r .sandbox "$out/check.json")" = forbidden ]; then
    echo "make $command: this system allows no sandbox, so your own file runs without one" >&2
    judge --sandbox=none
fi
if [ "$(jq -r .verdict "$out/check.json")" = error ]; then
    jq -r '.problem, "  " + (.remedy // "")' "$out/check.json" >&2
    exit 3
fi
export PATH=${CUDA_HOME:+$CUDA_HOME/bin:}$PATH
. warpgrind/tests/fidelity/card.bash
card_words() { jq -r '.device + ", driver " + .driver' "$out/check.json"; }
disturbed_words() { jq -r '.disturbed | join(", ")' "$out/check.json"; }

aligned() { # columns of values with the separator $1 between; the first stands left
    awk -F"$1" '{ for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } fields[NR] = NF }
        END { for (r = 1; r <= NR; r++) { line = ""
              for (i = 1; i <= fields[r]; i++)
                  line = line (i == 1 ? sprintf("%-*s", width[1], cell[r, 1]) : last && i == fields[r] ? "  " cell[r, i] : sprintf("  %*s", width[i], cell[r, i]))
              print line } }' last="${2:-}" -
}
