#!/bin/bash
# Mistakes that learners make, each to be named at its line; and right programs that look wrong, each to pass: see one.sh and margins.sh.
# What each is told is compared with tests/sentences.txt.
# FILTER limits the run, NVCC_PROGRAMS that of nvcc; COMPILERS is "clang" by default (or "nvcc", or both). Ends with "N passed, N failed".
. "$(dirname "$0")/../suite.bash"
export BUILD=$build NO_COLOR=1 LC_ALL=C.UTF-8
export KINDS=$work/kinds.json
sh tests/mistakes/severities.sh >"$KINDS"
export MARGINS=$work/margins.json # of all: one start of jq, which takes longer than most programs do
sh tests/mistakes/margins.sh tests/mistakes/*.cu >"$MARGINS"
: >"$work/jobs"

for source in tests/mistakes/*.cu; do
    ! selected "$(basename "$source")" || echo "$source"
done | drawn 6 "mistakes and right programs" >"$work/sources"

jobs_of() { # compiler, programs ("" is all)
    local source name
    while read -r source; do
        name=$(basename "$source" .cu)
        case " ${2:-$name} " in *" $name "*) echo "$source $1" ;; esac
    done <"$work/sources"
}

export REPORTS=$work/reports
mkdir "$REPORTS"

for compiler in ${COMPILERS:-clang}; do
    programs=
    [ "$compiler" = clang ] || programs=${NVCC_PROGRAMS:-}
    if [ "$compiler" = nvcc ] && ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
        echo "SKIPPED the mistakes compiled by nvcc: nvcc is not installed"
    else
        jobs_of "$compiler" "$programs" >>"$work/jobs"
    fi
done
xargs -r -L 1 -P "$workers" bash tests/mistakes/one.sh <"$work/jobs" >"$work/output"
# The table is of what clang's programs are told, and nvcc's besides.
case " ${COMPILERS:-clang} " in *" clang "*) sentences tests/sentences.txt check/texts.txt >>"$work/output" ;; esac
grep -v '^PASSED$' "$work/output"
passed=$(grep -c '^PASSED$' "$work/output") failed=$(grep -cv '^PASSED$' "$work/output")
finish
