#!/bin/sh
# The machine beside plain C and OpenCL: each kernel of shapes.def with all checks and with none, the same work in plain C (-O3, one core), and
# in PoCL, which compiles it for the processor (one core). One after the other in each round; the least processor time counts.
# $1: build folder. ROWS: names of shapes (all), ROUNDS: 3.
set -u
build=$1
out=$build/bench
LC_ALL=C
export LC_ALL
lines=$out/beside.tsv
: >"$lines"

pocl=''
if [ ! -x "$out/opencl_speed" ]; then
    reason="no OpenCL headers (package ocl-icd-opencl-dev)"
elif POCL_MAX_PTHREAD_COUNT=1 "$out/opencl_speed" Portable bench/kernels.cl floats >/dev/null 2>&1; then
    pocl=yes
else
    reason="PoCL is not installed (package pocl-opencl-icd)"
fi

add() { # name, column, seconds
    [ -z "$3" ] || printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$lines"
}
"$out/against" >"$out/shapes.tsv"
for name in ${ROWS:-$(cut -f 1 "$out/shapes.tsv")}; do
    round=0
    while [ $round -lt "${ROUNDS:-3}" ]; do
        for checks in all none; do add "$name" $checks "$("$out/against" "$out" "$name" $checks 3 | cut -f 1)"; done
        add "$name" plain "$("$out/plain_speed" "$name" 5)"
        [ "$name" != product ] || add "$name" tiles "$("$out/plain_speed" product 5 tiles)"
        [ -z "$pocl" ] ||
            add "$name" pocl "$(POCL_MAX_PTHREAD_COUNT=1 "$out/opencl_speed" Portable bench/kernels.cl "$name" 2>/dev/null | cut -f 5)"
        round=$((round + 1))
    done
done
awk -F '\t' -f bench/beside.awk "$out/shapes.tsv" "$lines"
[ -n "$pocl" ] || echo "  no column for PoCL: $reason"
