#!/bin/bash
# One program of this folder: SOURCE COMPILER, a compiler being "clang" or "nvcc". Builds it as people usually do and with -O2, runs each
# under two schedules, and compares the report with the margins (margins.jq).
# Prints "PASSED" or "FAILED ..." for each run. What a source may say in its first lines, with a reason where one is due:
#   /* warpgrind: --devices 2 */   options       /* unoptimised: REASON */   not with -O2 ("nvcc unoptimised": with nvcc -O2)
#   /* expect-none: REASON */      no error, though no margin says near to what
#   /* clang only: REASON */       not by nvcc
#   /* links: -lNAME */            options of the linker
set -u
source=$1 compiler=$2
. "$(dirname "$0")/margins.bash"

# A compiler's errors as a report: clang says FILE:LINE:COLUMN: error, nvcc FILE(LINE): error.
report_of_errors() {
    sed -nE "s,.*$name\.cu[:(]([0-9]+)[:)].*error.*,\1,p" "$work/log" |
        jq -s --arg file "$name.cu" '{schema: "", findings: map({kind: "compile-error", severity: "error", file: $file, line: .})}' >"$work/report.json"
}

# `// warns: TEXT`: clang says so of this line.
check_warnings() {
    local line text
    while IFS=: read -r line text; do
        if grep -q "$name\.cu:$line:.*warning: .*${text##*// warns: }" "$work/log"; then
            echo PASSED
        else
            echo "FAILED $name ($*): no such warning of line $line: $(head -n 1 "$work/log")"
        fi
    done < <(grep -n '// warns: ' "$source")
}

run_program() { # flags
    for seed in 0 1; do
        rm -f "$work/report.json"
        # shellcheck disable=SC2046 # options are words
        timeout 300 "$BUILD/bin/warpgrind" $(head_field warpgrind) --seed $seed --quiet --report "$work/report.json" "$work/program" \
            >"$work/out" 2>"$work/log"
        keep "$compiler" "$@" "seed $seed"
        check_words "$compiler" "$@" "seed $seed"
    done
}

# Clang compiles the host's code once, for both levels of the device's code, and says then what it warns of.
build() { # flags
    local object=$work/object.o host=() links
    read -ra links < <(head_field links)
    if [ "$compiler" = nvcc ]; then
        "$BUILD/bin/warpcc" --nvcc "$@" -o "$work/program" "$source" "${links[@]}"
        return
    fi
    [ ! -e "$object" ] || host=(--host-from "$object")
    "$BUILD/bin/warpcc" "$@" "${host[@]}" -c -o "$work/next.o" "$source" && mv "$work/next.o" "$object" &&
        "$BUILD/bin/warpcc" -o "$work/program" "$object" "${links[@]}"
}

build_and_run() { # flags
    if build "$@" >"$work/log" 2>&1; then
        [ "$compiler" = nvcc ] || [ -n "$*" ] || check_warnings
        run_program "$@"
    else
        report_of_errors
        keep "$compiler" "$@" "compiling, $(head -n 1 "$work/log")"
        [ "$compiler" = nvcc ] || check_words "$compiler" "$@" compiling
    fi
}

if expects_nothing; then
    echo "FAILED $name expects nothing"
elif [ "$compiler" = clang ] || [ -z "$(head_field 'clang only')" ]; then
    build_and_run
    [ -n "$(head_field unoptimised)$(head_field "$compiler unoptimised")" ] || build_and_run -O2
    compare_all
fi
