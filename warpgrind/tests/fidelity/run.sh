#!/bin/bash
# warpgrind's half of the fidelity table, by warpcc's programs and, where it is installed, by nvcc's: the lines of the card (h200.tsv) are its own,
# or differences.txt says why not; and docs/fidelity.md says what was compared. --write writes that page. Ends with "N passed, N failed".
. "$(dirname "$0")/../suite.bash"
folder=tests/fidelity

programs() { # compiler: the lines that the card printed
    local program number=0
    for program in bits maths errors counters; do
        if [ "$1" = clang ]; then
            "$build/bin/warpcc" -w -O2 -o "$work/$program" $folder/$program.cu || return
        else
            "$build/bin/warpcc" --nvcc -w -O2 -o "$work/$program" $folder/$program.cu >/dev/null || return
        fi
    done
    for program in bits maths errors; do "$build/bin/warpgrind" --quiet "$work/$program"; done
    while [ $number -lt 20 ]; do
        "$build/bin/warpgrind" --quiet "$work/errors" $number >"$work/line"
        [ -s "$work/line" ] || break
        cat "$work/line"
        number=$((number + 1))
    done
    "$build/bin/warpgrind" --quiet --report "$work/report.json" "$work/counters"
    python3 $folder/counted.py $folder/metrics.txt "$work/report.json"
}

compare() { # compiler
    programs "$1" >"$work/ours" 2>"$work/log"
    python3 $folder/compare.py $folder/h200.tsv "$work/ours" $folder/"differences${2:-}.txt" >"$work/page-$1.md" 2>"$work/problems"
    local status=$?
    verdict "programs of $1" "$([ $status -eq 0 ] || head -n 40 "$work/problems" "$work/log")"
}

# Products of matrices, all bits: h200-matrices.tsv has what the card printed. Of floats of 8 bits, and of m8n8k4 of halves, which the card
# computes with other units, the last bit may differ; they are not in it.
compare_matrices() { # compiler, its option
    "$build/bin/warpcc" ${2:-} -arch=sm_90 -w -O2 -o "$work/matrices" $folder/matrices.cu >"$work/log" 2>&1 &&
        "$build/bin/warpgrind" --quiet "$work/matrices" >"$work/products" 2>>"$work/log"
    grep -v 'm8n8k4_f.._f16\|_e[45]m[32]' "$work/products" | diff $folder/h200-matrices.tsv - >"$work/differing"
    verdict "matrices of $1" "$(head -q -n 4 "$work/log" "$work/differing")"
}

compare clang
compare_matrices clang
if [ "${1:-}" = --write ]; then
    cp "$work/page-clang.md" docs/fidelity.md
else
    verdict "docs/fidelity.md is what was found (make fidelity writes it)" "$(diff "$work/page-clang.md" docs/fidelity.md 2>&1 | head -n 6)"
fi
if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
    compare nvcc
    compare_matrices nvcc --nvcc
else
    echo "SKIPPED the programs of nvcc: nvcc is not installed"
fi
finish
