#!/bin/sh
# Edit to verdict: `warpschool check` of each solution against `nvcc -c` of the same file, medians of 10 by hyperfine.
# $1: build folder.
set -u
build=$1
if ! command -v hyperfine >/dev/null || ! command -v jq >/dev/null; then
    echo "bench: hyperfine or jq is not installed: no times from edit to verdict (packages hyperfine, jq)"
    exit 0
fi
nvcc=$(command -v nvcc || echo '')
printf '\nedit to verdict, medians of 10\n  %-26s %12s %12s %12s\n' "" "check (s)" "nvcc -c (s)" "check / nvcc"
times=$build/bench/times.json
median() { # command...
    hyperfine -N -i --warmup 1 --runs 10 --export-json "$times" "$@" >/dev/null 2>&1 && jq -r '.results[0].median' "$times"
}
for solution in solutions/*/solution.cu; do
    lesson=$(basename "$(dirname "$solution")")
    check=$(median "$build/bin/warpschool check $lesson $solution")
    if [ -n "$nvcc" ]; then
        compile=$(median "$nvcc -c -o $build/bench/nvcc.o $solution")
        awk -v l="$lesson" -v c="$check" -v n="$compile" 'BEGIN { printf "  %-26s %12.3f %12.3f %12.2f\n", l, c, n, c / n }'
    else
        awk -v l="$lesson" -v c="$check" 'BEGIN { printf "  %-26s %12.3f %12s %12s\n", l, c, "no nvcc", "-" }'
    fi
done
