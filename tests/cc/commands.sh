# commands.sh - warpcc as its users call it. Sourced by run.sh.

# status WANT WHAT TEXT COMMAND...: the exit status is WANT and the output contains TEXT.
status() {
    local want=$1 what=$2 text=$3 said got
    shift 3
    said=$("$@" 2>&1)
    got=$?
    if [ $got -eq "$want" ] && [[ $said == *"$text"* ]]; then pass; else fail "$what (status $got, not $want, or no '$text')" "$said"; fi
}

test_usage() {
    status 2 "no arguments" "no .cu file" "$warpcc"
    status 2 "unknown option" "unknown option --nonsense" "$warpcc" --nonsense x.cu
    status 2 "-o without a value" "-o needs a value" "$warpcc" x.cu -o
    status 2 "-O9" "levels are 0 to 3" "$warpcc" -O9 x.cu
    status 2 "-c with two files" "one .cu file at a time" "$warpcc" -c a.cu b.cu
    status 2 "--keep-ptx with two files" "for one .cu file" "$warpcc" --keep-ptx p a.cu b.cu
    status 0 "--help" "usage: warpcc" "$warpcc" --help
}

test_missing() {
    status 3 "WARPCC_CLANG names nothing" "WARPCC_CLANG" env WARPCC_CLANG=/nowhere/clang "$warpcc" -c programs/vector_add.cu
    status 3 "no clang in PATH" "clang is not installed" env PATH=/nowhere "$warpcc" -c programs/vector_add.cu
    status 3 "nvcc missing" "nvcc is not installed" env WARPCC_NVCC=/nowhere/nvcc "$warpcc" --nvcc -c programs/vector_add.cu
    status 1 "no such file" "no such file" "$warpcc" -c -o "$work/o.o" nowhere.cu
    status 3 "no temporary folder" "temporary folder" env TMPDIR=/nowhere "$warpcc" -c -o "$work/o.o" programs/vector_add.cu
}

# The device code in the object is the PTX that --keep-ptx shows, complete.
test_embedding() {
    check "embed" "$warpcc" $exact -c --keep-ptx "$work/k.ptx" -o "$work/k.o" programs/vector_add.cu
    objcopy -O binary --only-section=.nv_fatbin --set-section-flags .nv_fatbin=alloc "$work/k.o" "$work/k.bin"
    head -c -1 "$work/k.bin" >"$work/k.text"
    check "the object holds the PTX" cmp "$work/k.ptx" "$work/k.text"
    printf 'int f(void) { return 1; }\n' >"$work/plain.cu"
    check "a file without device code" "$warpcc" -c -o "$work/p.o" "$work/plain.cu"
    printf '__global__ void a(int *p) { *p = 1; }\nvoid run_a() { a<<<1, 1>>>(nullptr); }\n' >"$work/a.cu"
    printf '#include <cstdio>\nvoid run_a();\n__global__ void b(int *p) { *p = 1; }\nint main() { run_a(); b<<<1, 1>>>(nullptr); }\n' >"$work/b.cu"
    check "two files, one program" "$warpcc" -o "$work/two" "$work/a.cu" "$work/b.cu"
    check "object and file" "$warpcc" -c -o "$work/a.o" "$work/a.cu"
    check "link an object" "$warpcc" -o "$work/two" "$work/b.cu" "$work/a.o"
}

# A builtin without device code kills the compiler: one error in our words, and no request for a bug report.
test_crash() {
    printf '__global__ void grow(double *o) { int unused; o[0] = __builtin_log2(o[1]); }\n' >"$work/dies.cu"
    status 1 "a builtin without device code" "dies.cu: error: 'log2' has no device code" "$warpcc" -c -o "$work/o.o" "$work/dies.cu"
    status 1 "what the compiler said before it died" "unused variable" "$warpcc" -c -o "$work/o.o" "$work/dies.cu"
    if [[ $("$warpcc" -c -o "$work/o.o" "$work/dies.cu" 2>&1) == *@(PLEASE|[Ss]tack|LLVM|llvm)* ]]; then fail "the compiler's own crash is shown"; else pass; fi
}

test_options() {
    printf '#include "mine.h"\n#ifndef WANTED\n#error no definition\n#endif\nint x = MINE;\n' >"$work/o.cu"
    mkdir -p "$work/include"
    echo '#define MINE 3' >"$work/include/mine.h"
    check "-I and -D" "$warpcc" -I"$work/include" -DWANTED -c -o "$work/o.o" "$work/o.cu"
    check "-I and -D apart" "$warpcc" -I "$work/include" -D WANTED -c -o "$work/o.o" "$work/o.cu"
    status 1 "colours on request" $'\033[' "$warpcc" --color=always -c -o "$work/o.o" messages/once.cu
    status 1 "no colours" "messages/once.cu:3:12: error:" "$warpcc" --color=never -c -o "$work/o.o" messages/once.cu
    (cd "$work" && "$warpcc" -c a.cu && [ -e a.o ]) && pass || fail "-c names the object after the file"
}

# What people write for nvcc: understood, or refused with a word that helps.
test_nvcc_words() {
    local options
    printf '__global__ void k(float *p) { p[0] = p[1] * p[2] + p[3]; }\nint main() { k<<<1, 1>>>(nullptr); return 0; }\n' >"$work/w.cu"
    while read -r options; do
        # shellcheck disable=SC2086 # options are words
        check "warpcc $options" "$warpcc" $options -o "$work/w" "$work/w.cu"
    done <<'END'
-arch=sm_90 -lineinfo -G -g
-arch native -O3 --std=c++20 -std c++17
--gpu-architecture=sm_80 -gencode arch=compute_80,code=sm_80 -x cu
-use_fast_math -maxrregcount=32 -maxrregcount 32 -Xptxas -v --ptxas-options=-v
-Xcompiler -Wall -Xcompiler=-fopenmp,-O2 -Xcompiler -pthread -Xlinker -s
-ccbin g++ -fmad=false -ftz=true -prec-div=false --expt-relaxed-constexpr
-rdc=true -lcudart -lcudadevrt -cudart shared --cudart=static -default-stream legacy
-diag-suppress=177 -restrict -Xcudafe --diag_suppress=177
END
    "$warpcc" -O1 --keep-ptx "$work/f.ptx" -o "$work/w" "$work/w.cu" && grep -q 'fma.rn.f32' "$work/f.ptx" && pass || fail "products and sums become one"
    "$warpcc" -O1 -fmad=false --keep-ptx "$work/f.ptx" -o "$work/w" "$work/w.cu" && ! grep -q 'fma.rn.f32' "$work/f.ptx" && pass ||
        fail "-fmad=false keeps product and sum apart"
    status 2 "-lcublas" "-lcublas is not supported" "$warpcc" "$work/w.cu" -lcublas
    status 2 "-lcurand" "random numbers are not here" "$warpcc" "$work/w.cu" -lcurand
    status 2 "-lcuda" "use the runtime API" "$warpcc" "$work/w.cu" -lcuda
    status 2 "-rdc=true with two files" "put device functions that several files need in a header" "$warpcc" -rdc=true "$work/w.cu" "$work/a.cu"
    status 2 "-dc" "in a header" "$warpcc" -dc "$work/w.cu"
    status 2 "-ptx" "--keep-ptx FILE" "$warpcc" -ptx "$work/w.cu"
    status 2 "-run" "warpgrind ./PROGRAM" "$warpcc" -run "$work/w.cu"
    status 2 "a default stream per thread" "cudaStreamCreate" "$warpcc" -default-stream per-thread "$work/w.cu"
    printf '#include <cuda_runtime.h>\nint devices(void) { int n = 0; cudaGetDeviceCount(&n); return n; }\n' >"$work/plain.cpp"
    check "a C++ file beside" "$warpcc" -o "$work/w" "$work/w.cu" "$work/plain.cpp"
}

# Headers of what is not here.
test_advice() {
    local header
    for header in 'cublas_v2.h:write the kernel yourself' 'thrust/sorted.h:apt install libthrust-dev' 'cub/cube.cuh:apt install libcub-dev' 'cuda/atomics:apt install libcu++-dev' 'mma.h:tensor cores' 'nvtx3/nvToolsExt.h:warpgrind --annotate' \
        'helper_cuda.h:say where with -I' 'curand.h:random numbers are not here' 'curand_kernel.h:random numbers are not here'; do
        printf '#include <%s>\n' "${header%%:*}" >"$work/h.cu"
        status 1 "<${header%%:*}>" "${header#*:}" "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    done
    printf '#include "mine.h"\n' >"$work/h.cu"
    "$warpcc" -c -o "$work/h.o" "$work/h.cu" 2>&1 | grep -q 'what to do about' && fail "advice about the learner's own header" || pass
}

# A precompiled header that no longer fits is left aside, and nobody notices.
test_precompiled() {
    local copy=$work/copy
    mkdir -p "$copy/bin" && cp -r "$build/include" "$copy/include" && cp "$warpcc" "$copy/bin/warpcc"
    rm -rf "$copy/include/precompiled" && mkdir "$copy/include/precompiled"
    check "without precompiled headers" "$copy/bin/warpcc" $exact -c -o "$work/o.o" programs/vector_add.cu
    check "make them" "$copy/bin/warpcc" --precompile
    check "with them" "$copy/bin/warpcc" $exact -c -o "$work/o.o" programs/vector_add.cu
    status 0 "they are used" "include-pch" "$copy/bin/warpcc" -v -c -o "$work/o.o" programs/vector_add.cu
    echo '/* newer */' >>"$copy/include/cuda_runtime.h"
    check "with stale ones" "$copy/bin/warpcc" $exact -c -o "$work/o.o" programs/vector_add.cu
    for header in "$copy"/include/precompiled/*.pch; do echo garbage >"$header"; done
    check "with broken ones" "$copy/bin/warpcc" $exact -c -o "$work/o.o" programs/vector_add.cu
}

# Debian's CUB, Thrust and libcu++: what they need is there for those who include them, and for nobody else.
test_libraries() {
    if [ ! -e /usr/include/cub/cub.cuh ] || [ ! -e /usr/include/cuda/std/atomic ]; then
        echo "SKIPPED: CUB and libcu++ are not installed (make setup)"
        return
    fi
    printf '#include <cub/cub.cuh>\n' >"$work/l.cu"
    status 0 "all of CUB is precompiled" device-cub "$warpcc" -v -c -o "$work/o.o" "$work/l.cu"
    printf '#define CUB_STDERR\n#include <cub/cub.cuh>\n' >"$work/l.cu"
    check "CUB with a setting" "$warpcc" -c -o "$work/o.o" "$work/l.cu"
    "$warpcc" -v -c -o "$work/o.o" "$work/l.cu" 2>&1 | grep -q device-cub && fail "precompiled CUB despite a setting" || pass
    printf '#include <cuda/std/tuple>\n' >"$work/l.h"
    printf '#include "l.h"\n__device__ cuda::std::tuple<int, float> pair;\n' >"$work/l.cu"
    check "libcu++ through a header of one's own" "$warpcc" -c -o "$work/o.o" "$work/l.cu"
    printf '__device__ int any(int n, ...) { return n; }\n' >"$work/l.cu"
    status 1 "a variadic device function" "does not support variadic functions" "$warpcc" -c -o "$work/o.o" "$work/l.cu"
}

test_commands() {
    test_usage
    test_missing
    test_embedding
    test_crash
    test_options
    test_nvcc_words
    test_advice
    test_precompiled
    test_libraries
    if [ -z "$(ls "$TMPDIR")" ]; then pass; else fail "folders are left behind" "$(ls "$TMPDIR")"; fi
}
