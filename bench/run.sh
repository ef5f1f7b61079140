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

"$out/kernel_speed" "$out/O2.ptx" "$out/O0.ptx" >>"$lines" || exit 3

if [ -x "$out/opencl_speed" ]; then
    POCL_MAX_PTHREAD_COUNT=1 "$out/opencl_speed" Portable bench/kernels.cl 2>/dev/null | sed 's/Portable/PoCL (1 core)/' >>"$lines" ||
        echo "bench: PoCL is not installed: no row for it (package pocl-opencl-icd)"
    if command -v oclgrind >/dev/null; then
        oclgrind "$out/opencl_speed" Oclgrind bench/kernels.cl | sed 's/	Oclgrind	/	Oclgrind, no checks	/' >>"$lines"
        oclgrind --data-races --uninitialized "$out/opencl_speed" Oclgrind bench/kernels.cl 2>/dev/null |
            sed 's/	Oclgrind	/	Oclgrind, races and uninitialized	/' >>"$lines"
    else
        echo "bench: Oclgrind is not installed: no row for it (package oclgrind)"
    fi
else
    echo "bench: no OpenCL headers: no rows for Oclgrind and PoCL (packages ocl-icd-opencl-dev, oclgrind, pocl-opencl-icd)"
fi

awk -F '\t' -f bench/table.awk "$lines"
sh bench/edit_to_verdict.sh "$build"
