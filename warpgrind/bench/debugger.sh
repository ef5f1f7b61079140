#!/bin/sh
# What a launch pays for the debugger when there is none: the machine as it is beside the same one without the test for a debugger, in processor
# time. Both run alternately, and the second one twice: what its two series differ by is noise. Shapes whose turns are short pay the most.
# $1: build folder. ROWS: names of shapes, ROUNDS: alternations (7), RUNS: launches of each (3).
set -u
out=$1/bench
LC_ALL=C
export LC_ALL
lines=$out/debugger.tsv
: >"$lines"
measure() { # series, program, shape, checks
    printf '%s\t%s\t%s\t%s\n' "$1" "$3" "$4" "$("$2" "$out" "$3" "$4" "${RUNS:-3}")" >>"$lines"
}
for name in ${ROWS:-calls divergent tree_sum product}; do
    for checks in all none; do
        round=0
        while [ $round -lt "${ROUNDS:-7}" ]; do
            measure without "$out/undebugged" "$name" $checks
            measure with "$out/against" "$name" $checks
            measure again "$out/undebugged" "$name" $checks
            round=$((round + 1))
        done
    done
done
awk -F '\t' '
{
    key = $2 "\t" $3
    if (!(key in seen)) { rows[++count] = key; seen[key] = 1 }
    if (!((key, $1) in least) || $4 < least[key, $1]) least[key, $1] = $4
}
END {
    printf "\nprocessor time of one launch that nobody debugs, milliseconds: with the test for a debugger, and without it\n"
    printf "  %-18s %6s %10s %10s %10s %8s\n", "", "checks", "with", "without", "with/wo", "noise"
    for (r = 1; r <= count; r++) {
        split(rows[r], row, "\t")
        with = least[rows[r], "with"]; without = least[rows[r], "without"]
        printf "  %-18s %6s %10.2f %10.2f %10.2f %8.2f\n", row[1], row[2], 1e3 * with, 1e3 * without, with / without, least[rows[r], "again"] / without
    }
}' "$lines"
