# headers.sh - the CUDA headers beside device code: as plain C and C++, one by one, and value by value against NVIDIA's
# where those are installed. Sourced by run.sh.

# Names whose values must agree with NVIDIA's.
header_values() {
    cat <<'END'
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdio.h>
#define V(name) printf("%s %lld\n", #name, (long long)(name));
#define S(type) printf("sizeof %s %zu\n", #type, sizeof(type));
#define O(type, field) printf("%s.%s %zu %zu\n", #type, #field, offsetof(type, field), sizeof(((type *)0)->field));
int main(void) {
END
    sed -nE 's/^CUDA_(ERROR|DEVICE_ATTRIBUTE)\(([A-Za-z0-9_]+),.*/V(\2)/p' "$build"/include/cuda_*.def
    sed -nE 's/^ *(cuda[A-Za-z0-9]+) = .*/V(\1)/p; s/^#define (cuda[A-Za-z0-9]+) .*/V(\1)/p' "$build/include/driver_types.h"
    sed -nE '/^struct cudaDeviceProp/,/^}/ s/.* ([A-Za-z0-9_]+)(\[[0-9]+\])?;/O(struct cudaDeviceProp, \1)/p' \
        "$build/include/driver_types.h"
    local type
    for type in cudaDeviceProp cudaFuncAttributes cudaPointerAttributes cudaMemPoolProps cudaMemAccessDesc cudaPitchedPtr \
        cudaExtent cudaPos cudaMemcpy3DParms cudaChannelFormatDesc cudaResourceDesc cudaTextureDesc cudaResourceViewDesc cudaAccessPolicyWindow; do
        echo "S(struct $type)"
    done
    echo 'S(cudaLaunchConfig_t) S(cudaLaunchAttribute) S(cudaStreamAttrValue) S(cudaIpcMemHandle_t) O(cudaLaunchAttribute, val.clusterDim.y) S(dim3) S(float3) S(float4) S(double2) S(uchar4)'
    echo 'O(struct cudaResourceDesc, res.pitch2D.pitchInBytes) O(struct cudaResourceDesc, flags)'
    echo 'O(struct cudaTextureDesc, normalizedCoords) O(struct cudaTextureDesc, seamlessCubemap)'
    echo 'O(struct cudaFuncAttributes, maxDynamicSharedSizeBytes) O(struct cudaMemPoolProps, location)'
    echo 'return 0; }'
}

# guard_program: what fails to compile when a header of guards.txt lacks its guard.
guard_program() {
    sed '/^#/d' guards.txt | while read -r header guard; do
        printf '#include <%s>\n#ifndef %s\n#error %s lacks %s\n#endif\n' "$header" "$guard" "$header" "$guard"
    done
}

test_guards() {
    local header
    guard_program >"$work/guards.cu"
    check "every header has its guard" "$warpcc" -c -o "$work/o.o" "$work/guards.cu"
    for header in $(cd "$build/include" && grep -lE '^#ifndef _' ./*.h cooperative_groups/*.h | sed 's/^\.\///'); do
        if grep -q "^$header " guards.txt; then pass; else fail "$header is not in guards.txt"; fi
    done
    [ -z "$nvcc" ] || check "the guards are NVIDIA's" "$nvcc" -w -D__CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__ -c -o "$work/o.o" "$work/guards.cu"
}

test_headers() {
    local header
    test_guards
    header_values >"$work/values.c"
    for header in $(cd "$build/include" && printf '%s\n' *.h cooperative_groups/*.h | drawn 4 "headers alone"); do
        printf '#include <%s>\n' "$header" >"$work/one.cu"
        check "$header alone, .cu" "$warpcc" -c -o "$work/o.o" "$work/one.cu"
    done
    for header in cuda_runtime.h cuda_runtime_api.h driver_types.h vector_types.h vector_functions.h cuda.h cuComplex.h; do
        printf '#include <%s>\nint main(void) { dim3 d = {1, 2, 3}; return (int)d.x - 1; }\n' "$header" >"$work/one.c"
        check "$header, C" gcc -std=c11 -Wall -Wextra -Werror -I"$build/include" -o "$work/one" "$work/one.c"
        check "$header, C++" clang++ -x c++ -std=c++11 -Wall -Wextra -Werror -I"$build/include" -o "$work/one" "$work/one.c"
    done
    check "values.c, ours" gcc -w -I"$build/include" -o "$work/ours" "$work/values.c"
    [ -n "$nvcc" ] || return
    if ! "$nvcc" --version | grep -q 'release 13\.'; then
        echo "SKIPPED: values and layouts are those of CUDA 13, and this nvcc is another"
        return
    fi
    # Only nvcc knows where its headers are: the one on the path may be a link or a script.
    check "values.c, NVIDIA's" "$nvcc" -w -x c -o "$work/theirs" "$work/values.c"
    "$work/ours" >"$work/ours.txt" && "$work/theirs" >"$work/theirs.txt"
    check "names, values and layouts are NVIDIA's" diff "$work/ours.txt" "$work/theirs.txt"
}
