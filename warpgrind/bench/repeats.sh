#!/bin/sh
# What a launch costs that repeats an earlier one (here it changes nothing either, and is not executed), beside one that is checked in full
# (--recheck); and what a file costs to compile that includes cub/cub.cuh, beside one that includes nothing. Seconds of the processor; the
# best of three.
# $1: build folder.
set -u
build=$1 folder=$1/bench

best() { # command...: the least seconds of the processor of three runs, user and system
    for _ in 1 2 3; do
        { LC_ALL=C bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' - "$@"; } 2>&1
    done | awk '{ s = $1 + $2; if (NR == 1 || s < least) least = s } END { print least }'
}

once=$(best "$build/bin/warpgrind" --quiet --threads 1 "$folder/repeats" 1)
full=$(best "$build/bin/warpgrind" --quiet --threads 1 --recheck "$folder/repeats" 101)
again=$(best "$build/bin/warpgrind" --quiet --threads 1 "$folder/repeats" 101)
awk -v once="$once" -v full="$full" -v again="$again" 'BEGIN {
    printf "\none hundred launches that repeat the first, a product of matrices by tiles, all checks\n"
    printf "  each checked in full     %.2f s\n  as clean as the first    %.2f s", full - once, again - once
    if (again > once) printf " (%.1f times faster)", (full - once) / (again - once)
    printf "\n"
}'

: >"$folder/nothing.cu"
echo '#include <cub/cub.cuh>' >"$folder/includes-cub.cu"
if "$build/bin/warpcc" -w -c -o "$folder/includes-cub.o" "$folder/includes-cub.cu" 2>/dev/null; then
    nothing=$(best "$build/bin/warpcc" -w -c -o "$folder/nothing.o" "$folder/nothing.cu")
    cub=$(best "$build/bin/warpcc" -w -c -o "$folder/includes-cub.o" "$folder/includes-cub.cu")
    awk -v nothing="$nothing" -v cub="$cub" 'BEGIN {
        printf "\nwarpcc -c\n  an empty file            %.2f s\n  #include <cub/cub.cuh>   %.2f s (%.1f times)\n", nothing, cub, cub / nothing
    }'
else
    echo "bench: cub/cub.cuh is not installed: no row for it (package libcub-dev)"
fi
