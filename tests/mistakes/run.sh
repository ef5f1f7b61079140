#!/bin/bash
# Mistakes that learners make, each to be named at its line; and right programs that look wrong, each to pass: see one.sh and margins.sh.
# PROGRAMS limits the run, COMPILERS is "clang" by default (or "nvcc", or both). Ends with "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 3
export BUILD=${BUILD:-build} NO_COLOR=1 LC_ALL=C.UTF-8
KINDS=$(mktemp) output=$(mktemp)
export KINDS
trap 'rm -f "$KINDS" "$output"' EXIT
sh tests/mistakes/severities.sh >"$KINDS"

jobs_of() { # compiler
    for source in tests/mistakes/*.cu $([ "$1" = nvcc ] || ls tests/mistakes/judged/*.cu); do
        name=$(basename "$source" .cu)
        case " ${PROGRAMS:-$name} " in *" $name "*) echo "$source" "$1" ;; esac
    done
}

for compiler in ${COMPILERS:-clang}; do
    if [ "$compiler" = nvcc ] && ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
        echo "SKIPPED the mistakes by nvcc: nvcc is not installed"
    else
        jobs_of "$compiler"
    fi
done | tee >(grep ^SKIPPED >&2) | grep -v ^SKIPPED | xargs -r -L 1 -P "$(nproc)" bash tests/mistakes/one.sh >"$output"
grep -v '^PASSED$' "$output"
failed=$(grep -cv '^PASSED$' "$output")
echo "$(grep -c '^PASSED$' "$output") passed, $failed failed"
[ "$failed" -eq 0 ]
