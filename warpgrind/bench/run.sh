#!/bin/sh
# `make bench`: every figure is a ratio of two programs measured in this run. What is not installed says so in its row.
# $1: build folder.
set -u
build=$1
out=$build/bench
LC_ALL=C
export LC_ALL
lines=$out/lines.tsv
: >"$lines"

"$out/kernel_speed" "$out/kernels-O2.ptx" "$out/kernels-O0.ptx" >>"$lines" || exit 3

if [ -x "$out/opencl_speed" ]; then
    works='vector_add tree_sum arithmetic' # kernels.cu's
    # shellcheck disable=SC2086 # names are words
    POCL_MAX_PTHREAD_COUNT=1 "$out/opencl_speed" Portable bench/kernels.cl $works 2>/dev/null | sed 's/Portable/PoCL (1 core)/' >>"$lines" ||
        echo "bench: PoCL is not installed: no row for it (package pocl-opencl-icd)"
    if command -v oclgrind >/dev/null; then
        # shellcheck disable=SC2086
        oclgrind "$out/opencl_speed" Oclgrind bench/kernels.cl $works | sed 's/	Oclgrind	/	Oclgrind, no checks	/' >>"$lines"
        # shellcheck disable=SC2086
        oclgrind --data-races --uninitialized "$out/opencl_speed" Oclgrind bench/kernels.cl $works 2>/dev/null |
            sed 's/	Oclgrind	/	Oclgrind, races and uninitialized	/' >>"$lines"
    else
        echo "bench: Oclgrind is not installed: no row for it (package oclgrind)"
    fi
else
    echo "bench: no OpenCL headers: no rows for Oclgrind and PoCL (packages ocl-icd-opencl-dev, oclgrind, pocl-opencl-icd)"
fi

numba=''
for python in python3 /usr/bin/python3; do # a python of one's own may come first on the path, without Debian's modules
    NUMBA_ENABLE_CUDASIM=1 "$python" -c 'from numba import cuda' 2>/dev/null && numba=$python && break
done
if [ -n "$numba" ]; then
    "$numba" bench/numba_speed.py >>"$lines"
else
    echo "bench: Numba is not installed: no row for its simulator (package python3-numba)"
fi

"$out/patterns" "$out/patterns-O2.ptx" >>"$lines" || exit 3

"$out/against" >"$out/shapes.tsv"
awk -F '\t' -f bench/table.awk "$out/shapes.tsv" "$lines"
awk -F '\t' -f bench/limits.awk "$lines"
sh bench/beside.sh "$build"
sh bench/start.sh "$build"
sh bench/threads.sh "$build"
sh bench/repeats.sh "$build"
sh bench/debugger.sh "$build"
