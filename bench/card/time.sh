#!/bin/bash
# time.sh LESSON FILE: the table of a lesson's page, of a learner's own file beside the course's solution and what else the table has, on the card of this machine.
# `make time LESSON=20` calls it. Times are shown only of a file whose answers are right on the card, and not on a card that others disturb. BUILD names the
# build folder.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
number=${1:?which lesson}
harness=$(find bench/card -maxdepth 1 -name "${number:0:2}-*.cu")
[ -n "$harness" ] || { echo "make time: there is no table for lesson $number" >&2; exit 2; }
lesson=$(basename "$harness" .cu)
file=${2:-work/$lesson.cu}
[ -f "$file" ] || { echo "make time: there is no $file yet: make exercise LESSON=${number:0:2}" >&2; exit 2; }
out=$build/bench/time
mkdir -p "$out"

# The judge finds nvcc and the card, says what is missing, and whether the answers are right.
"$build/bin/warpschool" check "$lesson" "$file" --device cuda --json >"$out/check.json" || true
case $(jq -r .verdict "$out/check.json") in
error) jq -r '.problem, "  " + (.remedy // "")' "$out/check.json" >&2; exit 3 ;;
fail)
    echo "make time: $file is not right on the card, so its times say nothing: make exercise LESSON=${number:0:2}" >&2
    exit 1
    ;;
esac
disturbed=$(jq -r '.disturbed | join(", ")' "$out/check.json")
[ -z "$disturbed" ] || { echo "make time: no times now: the card is $disturbed" >&2; exit 1; }

export PATH=${CUDA_HOME:+$CUDA_HOME/bin:}$PATH:/usr/local/cuda/bin
build_one() { nvcc -O3 -arch=native -Ibench/card/alone -o "$out/$1" "$2" ${3:+"$3"}; }
build_one copy bench/card/beside/copy.cu &
build_one solution "$harness" "solutions/$lesson/solution.cu" &
build_one yours "$harness" "$file" &
wait -n && wait -n && wait -n

aligned() { # columns of values with commas between
    awk -F, '{ for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } fields[NR] = NF }
        END { for (r = 1; r <= NR; r++) { line = ""
              for (i = 1; i <= fields[r]; i++) line = line sprintf(i == 1 ? "%-*s" : "  %*s", width[i], cell[r, i])
              print line } }'
}
copies=$("$out/copy")
{ "$out/solution"; "$out/yours" yours; } >"$out/table.csv"
echo "$lesson on the $(jq -r '.device + ", driver " + .driver' "$out/check.json"), which copies $copies GB/s (read and written) in its own memory"
echo
# The rows of each size stand together; a bandwidth of memory has its share of the copy's beside it.
awk -F, -v copies="$copies" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^bandwidth/) rate = i; print $0 (rate ? ",of a copy" : ""); next }
    { row = $0; if (rate) row = row "," sprintf("%.0f %%", 100 * $rate / copies)
      if (!($2 in rows)) order[++keys] = $2
      rows[$2] = rows[$2] row "\n" }
    END { for (i = 1; i <= keys; i++) printf "%s", rows[order[i]] }' "$out/table.csv" | aligned
echo
echo "Medians of 51 calls after a warm-up, by CUDA events around your function. Shown, and never graded."
