#!/bin/bash
# Everything builds with clang as well, without a warning, and what it built answers. The headers that warpcc precompiles are
# the same whoever built it, and left out. Ends with "N passed, N failed".
. "$(dirname "$0")/suite.bash"

make --no-print-directory CC=clang BUILD="$build/clang" PRECOMPILED= all >"$work/log" 2>&1
verdict "clang builds everything" "$([ $? -eq 0 ] || tail -n 20 "$work/log")"
for program in warpgrind warpcc warpschool; do
    verdict "$program built by clang answers" "$("$build/clang/bin/$program" --help >"$work/log" 2>&1 && grep -q "$program" "$work/log" || echo "it does not")"
done
finish
