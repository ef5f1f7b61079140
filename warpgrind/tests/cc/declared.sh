# declared.sh - what NVIDIA's cuda_runtime.h, cublas_v2.h and cublasLt.h declare, ours declares, or a row of absent.def says why not. Sourced by run.sh.

# The names that a header declares: as plain C++ with macros, and as device code.
names_of() { # FOLDER COMPILER... -> sorted names
    local folder=$1
    shift
    { "$@" -E -dD -x c++ "$work/all.cpp" && cat "$work/device.i"; } | awk -v folder="$folder" -f names.awk | grep -v '^cuda.*_v[0-9]$' | sort -u
}

# The functions and types of cuBLAS.
cublas_names() { # FOLDER
    printf '#include <cublas_v2.h>\n#include <cublasLt.h>\n' | g++ -E -x c++ -I"$1" - | grep -v '^#' | grep -oE '\bcublas[A-Za-z0-9_]+' | sort -u
}

test_declared() {
    local theirs patterns unknown stale
    [ -n "$nvcc" ] && "$nvcc" --version | grep -q 'release 13\.0' || { echo "SKIPPED: no nvcc 13.0, so no header to compare with"; return; }
    theirs=$(toolkit)/include
    echo '#include <cuda_runtime.h>' >"$work/all.cpp"
    echo '#include <cuda_runtime.h>' >"$work/all.cu"
    "$nvcc" -E -arch=sm_90 -o "$work/device.i" "$work/all.cu"
    names_of "cuda.*/include/" g++ -I"$theirs" | grep -v '^cuda.*Params_v' >"$work/theirs.names"
    "${clangs%%[[:space:]]*}" -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -Wno-unknown-cuda-version --cuda-gpu-arch=sm_80 -std=gnu++17 \
        -I"$build/include" -include cuda_runtime.h --cuda-device-only -E "$work/all.cpp" -o "$work/device.i"
    names_of "$build/include" g++ -I"$build/include" >"$work/ours.names"
    for file in theirs ours; do
        if [ "$(wc -l <"$work/$file.names")" -gt 1000 ]; then pass; else fail "only $(wc -l <"$work/$file.names") names in $file"; fi
    done
    cublas_names "$theirs" >>"$work/theirs.names"
    cublas_names "$build/include" >>"$work/ours.names"
    sort -u -o "$work/theirs.names" "$work/theirs.names"
    sort -u -o "$work/ours.names" "$work/ours.names"
    comm -23 "$work/theirs.names" "$work/ours.names" >"$work/missing"
    unknown=$(while read -r name; do absent_row "$name" || echo "$name"; done <"$work/missing")
    if [ -z "$unknown" ]; then pass; else fail "neither declared nor in absent.def:" "$unknown"; fi
    # What is built into nvcc stands in no header.
    echo '__[Nn][Vv]_[AaT][TtH][OoR]*' >>"$work/fitting"
    stale=$(comm -23 <(printf '%s\n' "${absent_patterns[@]}" | sort) <(sort -u "$work/fitting"))
    if [ -z "$stale" ]; then pass; else fail "rows of absent.def that stand for nothing:" "$stale"; fi
    echo "declared: $(wc -l <"$work/theirs.names") names of NVIDIA's, $(wc -l <"$work/missing") of them with a reason in absent.def"
}

# The first row whose pattern fits, noted in "fitting".
absent=../../warpcc/absent.def
mapfile -t absent_patterns < <(sed -n 's/^ABSENT("\([^"]*\)".*/\1/p' "$absent")
absent_row() { # NAME
    local pattern
    for pattern in "${absent_patterns[@]}"; do
        # shellcheck disable=SC2053 # the right side is a pattern
        [[ $1 == $pattern ]] && { echo "$pattern" >>"$work/fitting"; return 0; }
    done
    return 1
}
