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
    # Where the toolkit's libraries lie, nothing but nvcc need know.
    home=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
    { build_one library "$harness" "$library" -lcublas -Xlinker "-rpath=$home/lib64" 2>"$out/library.log" || build_one library "$harness" "$library" 2>"$out/library.log" || true; } &
    started=4
fi
while [ $((started--)) -gt 0 ]; do wait -n; done

copies=$("$out/copy")
# Each program is started three times, in turn with the others, since a start has its own luck: with the clock, with where its memory lies.
rm -f "$out/apart"
label=$(grep -o -m 1 'CUB\|cuBLAS' "$library" 2>/dev/null || true)
for start in 1 2 3; do
    CARD_SAMPLES=$out/solution.samples CARD_SPREAD=$out/solution.spread "$out/solution" >"$out/solution.$start"
    # The lesson's own table may have it as a learner would call it.
    ! grep -q "^$label," "$out/solution.1" || label="$label with its room kept"
    if [ -x "$out/library" ] && ! "$out/library" "$label" >"$out/library.$start" 2>"$out/library.log"; then
        echo "No row of $label, which cannot run: $(tail -n 1 "$out/library.log")" >&2
        rm "$out/library"
    fi
    CARD_SAMPLES=$out/yours.samples CARD_SPREAD=$out/yours.spread "$out/yours" yours >"$out/yours.$start"
done
first_time=$(head -n 1 "$out/solution.1" | tr , '\n' | grep -nm 1 '([mu]s)$' | cut -d: -f1)
# middle PROGRAM: of each row the start whose time is between those of the other two; beside it, in $out/apart, how far they lie apart in percent of it.
middle() {
    awk -F, -v at="$first_time" -v apart="$out/apart" '
        FNR == 1 { start++ }
        /^version,/ { if (start == 1) { print; print "apart" >>apart } next }
        { n = ++rows[start]; row[n, start] = $0; time[n, start] = $at }
        END { for (n = 1; n <= rows[1]; n++) {
                  low = high = time[n, 1]
                  for (i = 1; i <= 3; i++) {
                      before = 0
                      for (j = 1; j <= 3; j++) before += time[n, j] < time[n, i] || (time[n, j] == time[n, i] && j < i)
                      if (before == 0) low = time[n, i]
                      if (before == 1) chosen = i
                      if (before == 2) high = time[n, i]
                  }
                  print row[n, chosen]
                  printf "%.0f %%\n", (time[n, chosen] > 0 ? 100 * (high - low) / time[n, chosen] : 0) >>apart
              } }' "$out/$1".[123]
}
{
    middle solution
    [ ! -x "$out/library" ] || middle library
    middle yours
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
    echo "# Measured on one $(card_words), with CUDA $(cuda_release) on $(date +%F) by make time LESSON=${lesson%%-*}; medians of 51 calls in the middle one of three starts, CUDA events around the call."
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
    END { for (i = 1; i <= keys; i++) printf "%s", rows[order[i]] }' <(paste -d, "$out/table.csv" "$out/apart") | aligned ,
echo
# The widest middle half of the rows, in percent of its median.
spread() { awk '{ width = 100 * ($3 - $2) / $1; if (width > widest) widest = width } END { printf "%.0f %%", widest }' "$out/$1.spread"; }
echo "apart: each program was started three times, in turn; a row is the middle one of its three starts, which lie so far apart. Rows that are nearer to each other than that are alike."
echo "Half of the calls of a start lie within $(spread yours) of its median at most; of the solution's and the library's rows, within $(spread solution)."
echo "Medians of 51 calls after a warm-up, by CUDA events around your function; what each call left in arrays on the device was looked at. Shown, and never graded. make notes puts the table into the lesson's page."
