#!/bin/bash
# Measures the tables of the lesson pages on the GPU of this machine: solution and alternatives of each lesson that has a file
# here, and those of its mutants that the file names after `also:`, which are right and slow. `make bench-card` runs it; it needs nvcc and a card, and writes lessons/NN-name/gpu.csv into the folder $1. FILTER=NN measures
# some lessons only.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
out=$1
. warpgrind/tests/fidelity/card.bash

versions() { # lesson: its sources, the solution first; or those that the harness names, `// versions: FILE ...`
    local named
    named=$(sed -n 's,^// versions: ,,p' "bench/card/$1.cu" | tr ' ' '\n')
    [ -z "$named" ] || { echo "$named"; return; }
    echo "solutions/$1/solution.cu"
    find "solutions/$1/alternatives" -name '*.cu' | sort
    for slow in $(sed -n 's/^ \* also: //p' "bench/card/$1.cu"); do echo "solutions/$1/$slow.cu"; done
}

lessons=$(for harness in bench/card/*"${FILTER:-}"*.cu; do basename "$harness" .cu; done)
for lesson in $lessons; do
    versions "$lesson" | while read -r source; do
        echo "-o $out/$lesson-$(basename "$source" .cu) bench/card/$lesson.cu $source"
    done
done | xargs -P "$(nproc)" -L 1 nvcc -O3 -arch=native -Ibench/card/alone

# One after the other: a program that is timed has the card for itself.
for lesson in $lessons; do
    table=$out/$lesson.csv
    how=$(sed -n 's,^// measured: ,,p' "bench/card/$lesson.cu")
    [ -n "$how" ] || how="medians, CUDA events around the call"
    echo "# Measured on $([ "$(cards)" != 1 ] || echo "one ")$(card_and_driver), with CUDA $(cuda_release) on $(date +%F) by make bench-card; $how." >"$table"
    versions "$lesson" | while read -r source; do
        program=$(basename "$source" .cu)
        if [ "$program" = solution ]; then "$out/$lesson-$program"; else "$out/$lesson-$program" "$program"; fi
    done >>"$table"
    cat "$table"
done
