#!/bin/bash
# time.sh LESSON FILE: the table of a lesson's page, of a learner's own file beside the course's solution and what else the table has, on the card of this machine.
# `make time LESSON=20` calls it, and keeps the table in work/cards for the page (`make notes`). Times are shown only of a file whose answers are right on the card, and not on a card that others disturb. BUILD names the
# build folder.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
. bench/card/learner.bash time "$@"
[ -f "$harness" ] || fail 2 "there is no table for lesson $number"
[ "$(jq -r .verdict "$out/check.json")" = pass ] || fail 1 "$file is not right on the card, so its times say nothing: make exercise LESSON=${number:0:2}"
disturbed=$(disturbed_words)
[ -z "$disturbed" ] || fail 1 "no times now: the card is $disturbed"

# A toolkit without cuBLAS or CUB has no row of them.
library=bench/card/beside/$lesson.cu
build_one() { nvcc -O3 -arch=native -Ibench/card/alone -o "$out/$1" "${@:2}"; }
rm -f "$out/library" "$out"/*.samples "$out"/*.spread
build_one copy bench/card/beside/copy.cu &
build_one solution "$harness" "solutions/$lesson/solution.cu" &
build_one yours "$harness" "$file" &
started=3
if [ -f "$library" ]; then
    { build_one library "$harness" "$library" -lcublas 2>"$out/library.log" || build_one library "$harness" "$library" 2>"$out/library.log" || true; } &
    started=4
fi
while [ $((started--)) -gt 0 ]; do wait -n; done

copies=$("$out/copy")
{
    CARD_SAMPLES=$out/solution.samples CARD_SPREAD=$out/solution.spread "$out/solution"
    [ ! -x "$out/library" ] || "$out/library" "$(grep -o -m 1 'CUB\|cuBLAS' "$library")"
    CARD_SAMPLES=$out/yours.samples CARD_SPREAD=$out/yours.spread "$out/yours" yours
} >"$out/table.csv"
# What the first call of each measurement left on the device, beside what the solution's left there.
touch "$out/solution.samples" "$out/yours.samples"
awk 'NR == FNR { theirs[++count] = $0; next }
    { found = 0
      for (i = 1; i <= count && !found; i++) {
          n = split(theirs[i], cell, " ")
          found = n == NF && cell[1] == $1
          for (j = 2; j <= n && found; j++) {
              apart = $j - cell[j]; size = cell[j] < 0 ? -cell[j] : cell[j]
              found = (apart < 0 ? -apart : apart) <= 1e-3 * (size < 1 ? 1 : size)
          }
      }
      if (!found) exit 1 }' "$out/solution.samples" "$out/yours.samples" || fail 1 "$file leaves other numbers than the solution at the sizes that are timed"
mkdir -p work/cards
{
    echo "# Measured on one $(card_words), with CUDA $(cuda_release) on $(date +%F) by make time LESSON=${lesson%%-*}; medians of 51 calls, CUDA events around the call."
    cat "$out/table.csv"
} >"work/cards/$lesson.csv.new" && mv "work/cards/$lesson.csv.new" "work/cards/$lesson.csv"
echo "$lesson on the $(card_words), which copies $copies GB/s (read and written) in its own memory"
echo
# The rows of each size stand together; a bandwidth of memory has its share of the copy's beside it.
awk -F, -v copies="$copies" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^bandwidth/) rate = i; print $0 (rate ? ",of a copy" : ""); next }
    { row = $0; if (rate) row = row "," sprintf("%.0f %%", 100 * $rate / copies)
      if (!($2 in rows)) order[++keys] = $2
      rows[$2] = rows[$2] row "\n" }
    END { for (i = 1; i <= keys; i++) printf "%s", rows[order[i]] }' "$out/table.csv" | aligned ,
echo
# The widest middle half of the rows, in percent of its median.
spread() { awk '{ width = 100 * ($3 - $2) / $1; if (width > widest) widest = width } END { printf "%.0f %%", widest }' "$out/$1.spread"; }
echo "Half of the calls of a row lie within $(spread yours) of its median at most; of the solution's and the library's rows, within $(spread solution)."
echo "Medians of 51 calls after a warm-up, by CUDA events around your function; what each call left in arrays on the device was looked at. Shown, and never graded. make notes puts the table into the lesson's page."
