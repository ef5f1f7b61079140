# cublas.sh - our cuBLAS: results against loops of the host, mistakes at the line of the call, and what is refused. Sourced by run.sh.

# Each margin "expect: KIND" has its finding at that line, and no other line has one.
check_lines() { # SOURCE REPORT
    local wanted found
    wanted=$(awk '/\/\/ expect: / { kind = $0; sub(/.*\/\/ expect: */, "", kind); print NR, kind }' "$1")
    found=$(jq -r '.findings[] | select(.severity == "error") | "\(.line) \(.kind)"' "$2" | sort -n -u)
    [ "$wanted" = "$found" ] && pass || fail "findings of ${1##*/}" "$(diff <(echo "$wanted") <(echo "$found"))"
}

test_cublas() {
    local said clang
    for clang in $clangs; do
        WARPCC_CLANG=$clang check "right.cu, ${clang##*/}" "$warpcc" $exact -o "$work/right" cublas/right.cu -lcublas
        said=$("$build/bin/warpgrind" "$work/right" 2>&1)
        [[ $said == "0 wrong"*"no findings"* ]] && pass || fail "every function, ${clang##*/}" "$said"
    done
    if [ -n "$nvcc" ] && [ -e "$(toolkit)/include/cublas_v2.h" ]; then
        check "right.cu, nvcc" "$warpcc" --nvcc -o "$work/right" cublas/right.cu -lcublas
        said=$("$build/bin/warpgrind" "$work/right" 2>&1)
        [[ $said == "0 wrong"*"no findings"* ]] && pass || fail "every function, with NVIDIA's header" "$said"
    else
        echo "SKIPPED: no nvcc with cuBLAS's header"
    fi
    check "wrong.cu" "$warpcc" -o "$work/wrong" cublas/wrong.cu -lcublas
    said=$("$build/bin/warpgrind" --quiet --report "$work/wrong.json" "$work/wrong" 2>&1)
    [ -z "$said" ] && pass || fail "calls that are refused are told by the report alone" "$said"
    for said in 'cublasSgemm got lda = 39, which must be at least 40' 'cublasSgemv got no alpha' 'cublasSscal got no handle' 'cublasSetStream got no handle' \
        'cublasGemmEx has no A, B and C of the types'; do
        json_says "any(.findings[]; .message | startswith(\"$said\"))" "$work/wrong.json" >/dev/null && pass ||
            fail "a wrong argument is named: $said" "$(jq -c '[.findings[].message]' "$work/wrong.json")"
    done
    check_lines cublas/wrong.cu "$work/wrong.json"
    json_says '[.findings[] | select(.kind == "out-of-bounds").explanation] | any(contains("Compare the sizes and leading dimensions of the call"))' "$work/wrong.json" >/dev/null &&
        pass || fail "what to do about a call that goes outside" "$(jq -c '[.findings[].explanation]' "$work/wrong.json")"
    json_says '[.findings[] | select(.kind == "global-race").explanation] | any(contains("overlaps what it reads or writes in another thread of the same call"))' "$work/wrong.json" >/dev/null &&
        pass || fail "what to do about outputs that overlap" "$(jq -c '[.findings[].explanation]' "$work/wrong.json")"
    printf '#include <cublas_v2.h>\nint main(void) { cublasHandle_t h; return cublasCreate(&h); }\n' >"$work/c.c"
    check "cublas_v2.h, C" gcc -std=c11 -Wall -Wextra -Werror -I"$build/include" -c -o "$work/c.o" "$work/c.c"
    cp "$work/c.c" "$work/c.cu"
    status 1 "no -lcublas, with need" "cublasCreate_v2, which is a function of cuBLAS: link with -lcublas" "$warpcc" -o "$work/c" "$work/c.cu"
    printf '#include <cublas_v2.h>\n#include <cublasLt.h>\nint main() { return cublasStrsm(nullptr) + cublasLtMatmul(nullptr); }\n' >"$work/c.cu"
    status 1 "what our cuBLAS lacks" "cublasStrsm: it belongs to the rest of cuBLAS" "$warpcc" -c -o "$work/c.o" "$work/c.cu"
    status 1 "what cuBLASLt lacks" "cublasLtMatmul: it belongs to cuBLASLt" "$warpcc" -c -o "$work/c.o" "$work/c.cu"
}
