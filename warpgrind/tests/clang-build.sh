#!/bin/bash
# Everything builds with clang as well, the programs for its fuzzer among it, without a warning, and what it built answers. What warpcc makes, the precompiled headers and
# the lessons' drivers, is the same whoever built warpcc, and left out; and warnings do not wait for an optimiser.
# PROGRAMS are those to look at. Ends with "N passed, N failed".
. "$(dirname "$0")/suite.bash"

flock "$build/clang.lock" make --no-print-directory CC=clang BUILD="$build/clang" PRECOMPILED= DRIVER_OBJECTS= OPT=-O0 GPU_LEVEL_OPT=-O0 all fuzz-programs >"$work/log" 2>&1
verdict "clang builds everything" "$([ $? -eq 0 ] || tail -n 20 "$work/log")"
for program in ${PROGRAMS:-warpgrind warpcc}; do
    verdict "$program built by clang answers" "$("$build/clang/bin/$program" --help >"$work/log" 2>&1 && grep -q "$program" "$work/log" || echo "it does not")"
done
finish
