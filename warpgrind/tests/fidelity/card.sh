#!/bin/bash
# The card's half of the fidelity table: runs the programs of this folder on the GPU and prints their lines. Needs nvcc, a card, and ncu
# with permission to count; matrices.cu runs alone (nvcc -arch=sm_90), for h200-matrices.tsv. usage: card.sh [nvcc options, -arch=native without any] > tests/fidelity/CARD.tsv
set -eu -o pipefail
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- -arch=native
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. ./card.bash
metrics=$(cut -f1 metrics.txt | paste -sd,)

echo "# $(card_name), CUDA $(cuda_release)"
for program in bits maths errors counters; do nvcc -O2 "$@" -o "$work/$program" $program.cu 2>"$work/log" || { cat "$work/log" >&2; exit 1; }; done
"$work/bits"
"$work/maths"
"$work/errors"
number=0
while "$work/errors" $number; do number=$((number + 1)); done
ncu --csv --page raw --print-units base --metrics "$metrics" "$work/counters" >"$work/counted" || { cat "$work/counted" >&2; exit 1; }
python3 counted.py metrics.txt "$work/counted"
