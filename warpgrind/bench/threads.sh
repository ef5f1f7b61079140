#!/bin/sh
# `--threads N`: the same launches on one core and on more, up to all there are, each time as a ratio to that on one. All are checked in
# full, though the program measures each three times.
# $1: build folder. THREADS: the numbers to try.
set -u
build=$1
cores=$(nproc)
threads=${THREADS:-$(for n in 1 2 4 8 16 32 64; do [ "$n" -le "$cores" ] && echo "$n"; done)}
lines=$build/bench/threads.tsv
: >"$lines"
for checks in all none; do
    for n in $threads; do
        "$build/bin/warpgrind" --quiet --recheck --checks $checks --threads "$n" "$build/bench/threads" 2>/dev/null |
            sed "s/^/$checks\t$n\t/" >>"$lines"
    done
done
awk -F '\t' '
    !(($1, $3) in first) { order[++rows] = $1 SUBSEP $3; first[$1, $3] = $4 }
    !($2 in known) { counts[++columns] = $2; known[$2] = 1 }
    { ms[$1, $3, $2] = $4 }
    END {
        printf "\n--threads: ms of one launch (in brackets, how many times faster than on one thread), %s cores\n  %-44s", cores, ""
        for (c = 1; c <= columns; c++) printf " %16s", counts[c]
        for (r = 1; r <= rows; r++) {
            split(order[r], row, SUBSEP)
            printf "\n  %-44s", row[2] ", " (row[1] == "all" ? "all checks" : "no checks")
            for (c = 1; c <= columns; c++) printf " %16s", sprintf("%.1f (%.2f)", ms[row[1], row[2], counts[c]], first[row[1], row[2]] / ms[row[1], row[2], counts[c]])
        }
        printf "\n"
    }' cores="$cores" "$lines"
