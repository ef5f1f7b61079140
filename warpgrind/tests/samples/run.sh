#!/bin/bash
# The sample programs on the software GPU, built with clang and, where it is installed, with nvcc: right answer, no finding, in two
# schedules; a source may name options of warpgrind in its first line (`/* warpgrind: --devices 3 */`), and what plain nvcc is to build it for
# besides (`nvcc also: sm_75 sm_90`), and warpcc (`clang also: sm_70`), whether an older nvcc cannot (`nvcc from 12.8`), and which note clang's build must not have either (`no note: divergent-branch`). FILTER limits the run, COMPILERS is "clang nvcc" by default. Ends with "N passed, N failed".
. "$(dirname "$0")/../suite.bash"

build_program() { # compiler, source
    if [ "$1" = clang ]; then
        "$build/bin/warpcc" -o "$work/program" "$2"
    elif [ "${1#clang-}" != "$1" ]; then
        "$build/bin/warpcc" "-arch=${1#clang-}" -o "$work/program" "$2"
    elif [ "$1" = nvcc ]; then
        "$build/bin/warpcc" --nvcc -o "$work/program" "$2"
    else
        nvcc -arch="$1" -cudart shared -o "$work/program" "$2"
    fi
}

sample() { # compiler, source
    local name
    name="$(basename "$2" .cu) ($1)"
    if ! build_program "$1" "$2" >"$work/log" 2>&1; then
        verdict "$name" "does not compile: $(head -n 5 "$work/log")"
        return
    fi
    local options
    local unwanted=
    [ "$1" != clang ] || unwanted=$(sed -n 's|^.*no note: \([-a-z]*\).*|\1|p' "$2")
    options=$(sed -n 's|^/[/*] warpgrind: \([-a-z0-9 ]*[a-z0-9]\).*|\1|p' "$2")
    for seed in 0 1; do
        # shellcheck disable=SC2086 # options are words
        timeout 300 "$build/bin/warpgrind" $options --seed "$seed" --quiet --report "$work/report.json" "$work/program" >"$work/out" 2>"$work/log"
        status=$?
        findings=$(jq -c --arg unwanted "$unwanted" '[.findings[] | select(.severity == "error" or .kind == $unwanted) | "\(.kind) \(.file):\(.line) \(.message)"]' "$work/report.json" 2>/dev/null)
        local problem=
        if [ "$status" -ne 0 ] || [ "$(tail -n 1 "$work/out")" != right ] || [ "$findings" != '[]' ]; then
            problem="exit $status, printed '$(tail -n 1 "$work/out")', $(tail -n 2 "$work/log" | tr '\n' ' ') findings $(cut -c1-600 <<<"$findings")"
        fi
        verdict "$name seed $seed" "$problem"
    done
}

# One line for each program: compiler, source.
cases() {
    local source name compiler target
    while read -r source; do
        name=$(basename "$source" .cu)
        for compiler in ${COMPILERS:-clang nvcc}; do
            if [ "$compiler" = nvcc ] && ! command -v nvcc >/dev/null; then
                echo "SKIPPED $name (nvcc): nvcc is not installed" >&2
            elif [ "$compiler" = nvcc ] && grep -q 'nvcc from' "$source"; then
                echo "SKIPPED $name (nvcc): it wants $(sed -n 's/.*\(nvcc from [0-9.]*[0-9]\).*/\1/p' "$source") on" >&2
            elif [ "$compiler" = nvcc ] || ! grep -q 'nvcc only' "$source"; then
                echo "$compiler $source"
                for target in $(sed -n "s/.*$compiler also: \\([a-z0-9_ ]*\\).*/\\1/p" "$source"); do
                    [ "$compiler" = nvcc ] || target=clang-$target
                    echo "$target $source"
                done
            fi
        done
    done < <(for source in tests/samples/*.cu; do ! selected "$(basename "$source")" || echo "$source"; done | drawn 4 samples)
}

# shellcheck disable=SC2086 # a case is words
run_case() { sample $1; }
side_by_side run_case < <(cases)
finish
