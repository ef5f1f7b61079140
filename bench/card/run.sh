#!/bin/sh
# Measures the tables of the lesson pages on the GPU of this machine: solution and alternatives of each lesson that has a file
# here. `make bench-card` runs it; it needs nvcc and a card, and writes lessons/NN-name/gpu.csv into the folder $1.
set -eu
cd "$(dirname "$0")/../.."
out=$1
card=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
version=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
for harness in bench/card/[0-9]*.cu; do
    lesson=$(basename "$harness" .cu)
    table=$out/$lesson.csv
    echo "# Measured on one $card with CUDA $version; medians, CUDA events round the call." >"$table"
    nvcc -O3 -arch=native -o "$out/program" "$harness" "solutions/$lesson/solution.cu"
    "$out/program" >>"$table"
    for file in solutions/"$lesson"/alternatives/*.cu; do
        nvcc -O3 -arch=native -o "$out/program" "$harness" "$file"
        "$out/program" "$(basename "$file" .cu)" >>"$table"
    done
    rm -f "$out/program"
    cat "$table"
done
