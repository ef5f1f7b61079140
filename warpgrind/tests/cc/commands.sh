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
    local version
    version=$(sed -n 's/^#define WARPGRIND_VERSION "\(.*\)"$/\1/p' ../../base/version.h)
    status 2 "no arguments" "no .cu file" "$warpcc"
    status 2 "unknown option" "unknown option --nonsense" "$warpcc" --nonsense x.cu
    status 2 "-o without a value" "-o needs a value" "$warpcc" x.cu -o
    status 2 "-O9" "levels are 0 to 3" "$warpcc" -O9 x.cu
    status 2 "an option with two letters swapped" "did you mean --gpu-architecture=" "$warpcc" --gpu-architecutre=sm_80 x.cu
    status 2 "an option of the host's compiler" "-Xcompiler --nonsense" "$warpcc" --nonsense x.cu
    status 2 "a card that there is not" "there is no card named sm_999" "$warpcc" -arch=sm_999 x.cu
    status 2 "a word behind a card" "there is no card named sm_80x" "$warpcc" -arch=sm_80x x.cu
    status 2 "code that there is not" "there is no card named foo" "$warpcc" -gencode arch=compute_75,code=foo x.cu
    status 2 "a standard too old" "those are c++11, c++14, c++17" "$warpcc" -std=c++98 x.cu
    status 2 "a standard that there is not" "-std=c++26 is no standard of CUDA C++" "$warpcc" -std c++26 x.cu
    status 2 "-c -o with two files" "one file at a time" "$warpcc" -c -o x.o a.cu b.cu
    status 2 "--keep-ptx with two files" "for one .cu file" "$warpcc" --keep-ptx p a.cu b.cu
    status 0 "--help" "usage: warpcc" "$warpcc" --help
    check "--help is what was asked for: standard output" [ -z "$("$warpcc" --help 2>&1 >"$work/help")" -a -s "$work/help" ]
    status 0 "--version: its own" "warpcc $version" "$warpcc" --version
    status 0 "--version: and clang's" "clang version " "$warpcc" --version
}

test_missing() {
    status 3 "WARPCC_CLANG names nothing" "WARPCC_CLANG" env WARPCC_CLANG=/nowhere/clang "$warpcc" -c programs/vector_add.cu
    status 3 "no clang in PATH" "clang is not installed" env PATH=/nowhere "$warpcc" -c programs/vector_add.cu
    status 3 "nvcc missing" "nvcc is not installed" env WARPCC_NVCC=/nowhere/nvcc "$warpcc" --nvcc -c programs/vector_add.cu
    status 2 "no such file" "nowhere.cu cannot be read: No such file" "$warpcc" -c -o "$work/o.o" nowhere.cu
    status 3 "no temporary folder" "temporary folder" env TMPDIR=/nowhere "$warpcc" -c -o "$work/o.o" programs/vector_add.cu
}

# The compiler is started once for the two sides of a file, and once for each where that cannot be.
test_one_start() {
    local clang said
    clang=$(command -v clang) || clang=$(compgen -c clang- | grep -xE 'clang-[0-9]+' | sort -V | tail -n 1)
    clang=$(command -v "$clang")
    cat >"$work/counts.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void note(const char *what) {
    FILE *file = fopen(getenv("COUNTS"), "a");
    if (file) fprintf(file, "%s\n", what), fclose(file);
}
__attribute__((constructor)) static void start(void) { note("start"); }
int main(int argc, char **argv) {
    (void)argc;
    note("compile");
    if (getenv("DIES")) abort();
    argv[0] = getenv("CLANG");
    return execv(argv[0], argv);
}
END
    check "a compiler that counts" gcc -o "$work/counts" "$work/counts.c"
    counts() { # WHAT, STARTS, COMPILATIONS, COMMAND...: an object, and how often the compiler was started
        local what=$1 want="$2 $3"
        shift 3
        rm -f "$work/one.log"
        said=$(CLANG=$clang COUNTS=$work/one.log WARPCC_CLANG=$work/counts "$@" $exact -c -o "$work/one.o" programs/vector_add.cu 2>&1)
        said+=" $(grep -c start "$work/one.log") $(grep -c compile "$work/one.log")"
        if [ "$said" = " $want" ]; then pass; else fail "$what ($want)" "$said"; fi
    }
    counts "two starts, since the user has a library loaded" 2 2 env LD_PRELOAD=libm.so.6 "$warpcc"
    mv "$work/one.o" "$work/two.o"
    counts "one start for both sides" 1 2 "$warpcc"
    check "makes the same" cmp "$work/one.o" "$work/two.o"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$clang" >"$work/script"
    chmod +x "$work/script"
    makes "$work/script.o" "a script for a compiler" env WARPCC_CLANG="$work/script" "$warpcc" $exact -c -o "$work/script.o" programs/vector_add.cu
    rm -f "$work/one.log"
    status 1 "a compiler that dies on both sides" "" env DIES=1 COUNTS="$work/one.log" WARPCC_CLANG="$work/counts" "$warpcc" -c -o "$work/one.o" programs/vector_add.cu
}

# The device code in the object is the PTX that --keep-ptx shows, complete.
test_embedding() {
    check "embed" "$warpcc" $exact -c --keep-ptx "$work/k.ptx" -o "$work/k.o" programs/vector_add.cu
    objcopy -O binary --only-section=.nv_fatbin --set-section-flags .nv_fatbin=alloc "$work/k.o" "$work/k.bin"
    head -c -1 "$work/k.bin" >"$work/k.text"
    check "the object holds the PTX" cmp "$work/k.ptx" "$work/k.text"
    printf 'int f(void) { return 1; }\n' >"$work/plain.cu"
    check "a file without device code" "$warpcc" -c -o "$work/p.o" "$work/plain.cu"
    check "two files, one program" "$warpcc" -o "$work/two" "$work/a.cu" "$work/b.cu"
    check "object and file" "$warpcc" -c -o "$work/a.o" "$work/a.cu"
    check "link an object" "$warpcc" -o "$work/two" "$work/b.cu" "$work/a.o"
}

# Optimised device code beside the host's code of an object that has other device code: the program is the same as when both are compiled.
test_host_from() {
    local said
    check "an object" "$warpcc" $exact -c -o "$work/h.o" programs/vector_add.cu
    check "optimised device code for it" "$warpcc" $exact -O2 --host-from "$work/h.o" --keep-ptx "$work/h2.ptx" -o "$work/h2" programs/vector_add.cu
    "$warpcc" $exact -O2 --keep-ptx "$work/both.ptx" -o "$work/both" programs/vector_add.cu
    check "which is as usual" cmp "$work/h2.ptx" "$work/both.ptx"
    prints "which runs" "0 wrong" "$work/h2"
    check "managed variables" "$warpcc" $exact -c -o "$work/m.o" programs/managed_variables.cu
    check "managed variables, optimised" "$warpcc" $exact -O2 --host-from "$work/m.o" -o "$work/m" programs/managed_variables.cu
    if said=$("$build/bin/warpgrind" "$work/m" 2>&1); then pass; else fail "managed variables run" "$said"; fi
    if [[ $("$warpcc" -v $exact -O2 --host-from "$work/h.o" -c -o "$work/h2.o" programs/vector_add.cu 2>&1) == *host-only* ]]; then fail "the host's side is compiled again"; else pass; fi
    status 3 "--host-from without the object" "nowhere.o" "$warpcc" --host-from nowhere.o -c -o "$work/h2.o" programs/vector_add.cu
    status 2 "--host-from with two files" "for one .cu file" "$warpcc" --host-from x.o a.cu b.cu
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
    check "-I and -D" "$warpcc" -I"$work/include" -DWANTED -c -o "$work/o.o" "$work/o.cu"
    check "-I and -D apart" "$warpcc" -I "$work/include" -D WANTED -c -o "$work/o.o" "$work/o.cu"
    status 1 "colours on request" $'\033[' "$warpcc" --color=always -c -o "$work/o.o" messages/once.cu
    status 1 "no colours" "messages/once.cu:3:12: error:" "$warpcc" --color=never -c -o "$work/o.o" messages/once.cu
    (cd "$work" && rm -f a.o b.o && "$warpcc" -c a.cu b.cu && [ -e a.o ] && [ -e b.o ]) && pass || fail "-c names each object after its file"
}

# What people write for nvcc: understood, or refused with a word that helps.
test_nvcc_words() {
    local options
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
    status 2 "-lcufft" "-lcufft is not supported" "$warpcc" "$work/w.cu" -lcufft
    check "-lcurand without need" "$warpcc" "$work/w.cu" -o "$work/w" -lcurand
    printf '#include <curand.h>\nint main() { curandGenerator_t g; return curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); }\n' >"$work/host_random.cu"
    status 1 "no -lcurand, with need" "curandCreateGenerator, which is a function of cuRAND's host library: link with -lcurand" "$warpcc" "$work/host_random.cu" -o "$work/w2"
    check "-lcurand with need" "$warpcc" "$work/host_random.cu" -o "$work/w2" -lcurand
    check "-lcuda without need" "$warpcc" "$work/w.cu" -o "$work/w" -lcuda
    status 2 "-ptx" "--keep-ptx FILE" "$warpcc" -ptx "$work/w.cu"
    status 2 "-fatbin" "programs of the driver API do not run" "$warpcc" -fatbin -o "$work/w.fatbin" "$work/w.cu"
    status 2 "-run" "warpgrind ./PROGRAM" "$warpcc" -run "$work/w.cu"
    status 2 "a default stream per thread" "cudaStreamCreate" "$warpcc" -default-stream per-thread "$work/w.cu"
    printf '#include <cuda_runtime.h>\nint devices(void) { int n = 0; cudaGetDeviceCount(&n); return n; }\n' >"$work/plain.cpp"
    check "a C++ file beside" "$warpcc" -o "$work/w" "$work/w.cu" "$work/plain.cpp"
}

# The host library's numbers are NVIDIA's (numbers.out is what its library prints), and kernels draw the same points.
test_curand() {
    local theirs
    check "host generators" gcc -Wall -Wextra -Werror -I"$build/include" -o "$work/numbers" curand/numbers.c -L"$build/lib" -lcurand -lcudart \
        -Wl,-rpath,"$build/lib"
    "$work/numbers" >"$work/numbers.txt"
    check "numbers of host generators" diff curand/numbers.out "$work/numbers.txt"
    theirs=$([ -z "$nvcc" ] || toolkit)/lib64
    if [ -n "${NVCC_PROGRAMS:-}" ]; then
        echo "SKIPPED: make test-nvcc compares numbers.out with cuRAND's own numbers, for which that takes 15 s"
    elif [ -e "$theirs/libcurand.so" ]; then
        gcc -I"$theirs/../include" -o "$work/theirs" curand/numbers.c -L"$theirs" -lcurand -Wl,-rpath,"$theirs"
        "$work/theirs" >"$work/theirs.txt"
        check "numbers.out is NVIDIA's" diff "$work/theirs.txt" curand/numbers.out
    else
        echo "SKIPPED: no cuRAND of NVIDIA's to compare with"
    fi
    check "Sobol's points" "$warpcc" -o "$work/points" curand/points.cu -lcurand
    said=$("$build/bin/warpgrind" --quiet "$work/points" 2>&1) && [ "$said" = "0 wrong" ] && pass || fail "points of kernels and of the host" "$said"
    printf '#include <cuda_runtime_api.h>\n#include <curand.h>\nint main() { curandGenerator_t g; float *x; return cudaMalloc((void **)&x, 256) + curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) + curandGenerateUniform(g, x, 256); }\n' >"$work/bytes.c"
    gcc -I"$build/include" -o "$work/bytes" "$work/bytes.c" -L"$build/lib" -lcurand -lcudart -Wl,-rpath,"$build/lib"
    said=$("$build/bin/warpgrind" "$work/bytes" 2>&1)
    grep -q 'curandGenerate: 1,024 bytes are to be written, but only 256' <<<"$said" && grep -q 'cuRAND count numbers, not bytes' <<<"$said" && pass ||
        fail "numbers taken for bytes" "$said"
    printf '#include <curand.h>\n#include <stdio.h>\nint main() { curandGenerator_t g; return curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32) != CURAND_STATUS_TYPE_ERROR; }\n' >"$work/absent.cu"
    "$warpcc" -o "$work/absent" "$work/absent.cu" -lcurand
    said=$("$build/bin/warpgrind" "$work/absent" 2>&1) && grep -q 'no MTGP32 and MT19937 generators: take CURAND_RNG_PSEUDO_XORWOW' <<<"$said" && pass ||
        fail "a generator that is not there" "$said"
}

# -arch is the card that the code is for, as near as this clang comes; of several the newest counts.
test_architecture() {
    local options want
    while read -r want options; do
        # shellcheck disable=SC2086 # options are words
        "$warpcc" $options --keep-ptx "$work/t.ptx" -c -o "$work/t.o" "$work/a.cu"
        grep -q "^.target $want," "$work/t.ptx" && pass || fail "$options is $want" "$(grep '^.target' "$work/t.ptx")"
    done <<'END'
sm_80
sm_80 -arch=native
sm_75 -arch=sm_75
sm_70 -arch compute_70
sm_60 -arch=sm_20
sm_75 -gencode arch=compute_75,code=sm_75
sm_86 -gencode=arch=compute_70,code=sm_70 --generate-code arch=compute_86,code=compute_86
END
    status 2 "no card" "write -arch=sm_NN" "$warpcc" -arch=fast "$work/a.cu"
    check "a card newer than clang" "$warpcc" -arch=sm_120 -c -o "$work/t.o" "$work/a.cu"
    check "a card newer than clang, linked" "$warpcc" -rdc=true -arch=sm_120 -o "$work/t" "$work/w.cu"
    "$warpcc" -rdc=true -arch=sm_120 -dc -o "$work/t.o" "$work/w.cu"
    check "a card newer than clang, at the link alone" "$warpcc" -arch=sm_120 -o "$work/t" "$work/t.o"
    check "code for a T4" "$warpcc" -arch=sm_75 -o "$work/t" "$work/w.cu"
    "$build/bin/warpgrind" --card t4 --checks none "$work/t" >"$work/said" 2>&1
    ! grep -q 'built for compute capability' "$work/said" && pass || fail "a T4 runs code for it" "$(cat "$work/said")"
    "$warpcc" -o "$work/t" "$work/w.cu"
    "$build/bin/warpgrind" --card t4 --checks none "$work/t" >"$work/said" 2>&1
    grep -q 'warpcc -arch=sm_75' "$work/said" && pass || fail "a T4's advice names warpcc" "$(cat "$work/said")"
}

# Names of one toolkit alone; and every row of the table stands at a declaration.
test_toolkits() {
    local key kind
    printf 'int main() { cudaThreadSynchronize(); return CUDART_VERSION / 1000; }\n' >"$work/thread.cu"
    printf 'texture<float> t;\n__global__ void k(float *p) { *p = tex1Dfetch(t, 0); }\n' >"$work/texture.cu"
    printf 'static_assert(CUDART_VERSION / 1000 == TOOLKIT, "");\n#include <cuda.h>\nstatic_assert(CUDA_VERSION / 1000 == TOOLKIT && __CUDACC_VER_MAJOR__ == TOOLKIT, "");\n' >"$work/version.cu"
    printf 'void f() { cudaInitDevice(0, 0, 0); cudaMemAdvise(nullptr, 4, cudaMemAdviseSetReadMostly, cudaMemLocation{}); }\n' >"$work/new.cu"
    check "--cuda=11 has threads" "$warpcc" --cuda=11 -c -o "$work/o.o" "$work/thread.cu"
    check "--cuda 12.4 has threads" "$warpcc" --cuda 12.4 -c -o "$work/o.o" "$work/thread.cu"
    status 1 "--cuda=13 has none" "thread.cu:1:14: error: 'cudaThreadSynchronize' is unavailable: CUDA 13 removed this. Use cudaDeviceSynchronize" "$warpcc" --cuda=13 -c -o "$work/o.o" "$work/thread.cu"
    check "--cuda=11 has texture references" "$warpcc" --cuda=11 -c -o "$work/o.o" "$work/texture.cu"
    status 1 "--cuda=12 has none" "' is unavailable: CUDA 12 removed this. Use a texture object" "$warpcc" --cuda=12 -c -o "$work/o.o" "$work/texture.cu"
    status 1 "--cuda=11 has no cudaInitDevice" "'cudaInitDevice' is unavailable: it came with CUDA 12" "$warpcc" --cuda=11 -c -o "$work/o.o" "$work/new.cu"
    status 1 "--cuda=12 has no locations" "'cudaMemAdvise' is unavailable: it came with CUDA 13" "$warpcc" --cuda=12 -c -o "$work/o.o" "$work/new.cu"
    check "--cuda=13 has both" "$warpcc" --cuda=13 -c -o "$work/o.o" "$work/new.cu"
    for key in 11 12 13; do
        check "--cuda=$key is its version" "$warpcc" --cuda=$key -DTOOLKIT=$key -c -o "$work/o.o" "$work/version.cu"
    done
    check "without it the newest" "$warpcc" -DTOOLKIT=13 -c -o "$work/o.o" "$work/version.cu"
    status 2 "--cuda=10" "write --cuda=11, --cuda=12 or --cuda=13" "$warpcc" --cuda=10 -c "$work/thread.cu"
    status 2 "--cuda with --nvcc" "the one that nvcc belongs to" "$warpcc" --nvcc --cuda=12 -c "$work/thread.cu"
    sed -nE 's/^CUDA_(OLD|NEW)_NAME\(([^,]+),.*/\1 \2/p' "$build/include/cuda_old_names.def" >"$work/keys"
    [ "$(wc -l <"$work/keys")" -gt 40 ] && pass || fail "the table of old names is read"
    while read -r kind key; do
        if grep -rqE "WARPGRIND_$kind(_SHUFFLE)?\($key[,)]" "$build/include" --include=*.h --exclude=cuda_old_names.h; then pass; else fail "$key stands at no declaration"; fi
    done <"$work/keys"
}

# One word about an old name for all files of a command, wherever it stands.
test_old_names() {
    local said
    printf '#pragma once\ntexture<float> shared_texture;\n' >"$work/old.h"
    printf '#include "old.h"\nint main() { cudaThreadSynchronize(); }\n' >"$work/first.cu"
    printf 'void second() { cudaThreadSynchronize(); }\n' >"$work/second.cu"
    printf '#include <cuda_runtime.h>\nvoid third() { cudaThreadSynchronize(); }\n' >"$work/third.cpp"
    said=$("$warpcc" -o "$work/old" "$work/first.cu" "$work/second.cu" "$work/third.cpp" 2>&1)
    if [ $? -eq 0 ] && [ "$(grep -c 'warning' <<<"$said")" = 2 ]; then pass; else fail "each old name once" "$said"; fi
    if [ "$(grep -c 'note: ' <<<"$said")" = 0 ] && [[ $said == *"second.cu"* ]]; then fail "nothing else about it" "$said"; else pass; fi
    said=$("$warpcc" --color=always -o "$work/old" "$work/first.cu" "$work/second.cu" 2>&1)
    [ "$(grep -c 'deprecated' <<<"$said")" = 2 ] && pass || fail "each once, in colours" "$said"
    check "-Wno-deprecated-declarations" "$warpcc" -Wno-deprecated-declarations -c -o "$work/o.o" "$work/first.cu"
    printf '#pragma once\nsurface<void, 2> shared_board;\n' >"$work/old.h"
    check "a surface that only a header has" "$warpcc" -Wno-deprecated-declarations -c -o "$work/o.o" "$work/first.cu"
    printf '__global__ void k() { cudaDeviceSynchronize(); }\n' >"$work/nested.cu"
    status 1 "cudaDeviceSynchronize in a kernel" "CUDA 12 removed it from kernels" "$warpcc" -c -o "$work/o.o" "$work/nested.cu"
    printf '__global__ void k(int *p) { cudaMemset(p, 0, 4); }\n' >"$work/nested.cu"
    status 1 "cudaMemset in a kernel" "what to do about cudaMemset in device code: it is a host function" "$warpcc" -c -o "$work/o.o" "$work/nested.cu"
}

# Device code of several files: a function, a variable and a constant of another file; statics of one name stay apart.
make_device_files() {
    cat >"$work/main.cu" <<'END'
#include <cstdio>
extern __device__ int shared_value;
extern __constant__ int factor;
__device__ int twice(int value);
static __device__ int own;
__global__ void k(int *p) { *p = twice(shared_value) * factor + own; }
int main() {
    int *p, x = 5, three = 3, one = 1, got = 0;
    cudaMalloc(&p, 4);
    cudaMemcpyToSymbol(shared_value, &x, 4);
    cudaMemcpyToSymbol(factor, &three, 4);
    cudaMemcpyToSymbol(own, &one, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost);
    cudaFree(p);
    printf("%d\n", got);
}
END
    cat >"$work/other.cu" <<'END'
__device__ int shared_value;
__constant__ int factor;
static __device__ int own = 100;
__device__ int twice(int value) { return 2 * value + own; }
END
}

prints() { # WHAT WANTED PROGRAM
    local got
    got=$("$build/bin/warpgrind" --quiet "$3" 2>&1)
    if [ "$got" = "$2" ]; then pass; else fail "$1" "$got"; fi
}

# Copies of 16 bytes where only a header of the program names the type, and in device code that is linked; and a * b + c, which is
# contracted on both ways.
test_wide_copies() {
    mkdir "$work/quads"
    printf '#include "quad2.h"\n' >"$work/quads/quad.h"
    printf 'typedef float4 quad;\n' >"$work/quads/quad2.h"
    printf '#include "quads/quad.h"\n__global__ void w(quad *q, float *f) { q[0] = q[1]; f[0] = f[1] * f[2] + f[3]; }\n' >"$work/wide.cu"
    sed 's,quads/quad.h,quad.h,' "$work/wide.cu" >"$work/given.cu"
    ptx_has "a type that a header names" 'st.*\.v4\.' "$work/wide.cu"
    ptx_has "a header that -I finds" 'st.*\.v4\.' -I "$work/quads" "$work/given.cu"
    ptx_has "a header of -include" 'st.*\.v4\.' -I"$work/quads" -include quads/quad2.h "$work/wide.cu"
    ptx_has "contracted" 'fma\.rn\.f32' -O2 "$work/wide.cu"
    "$warpcc" -rdc=true -O2 -v -o "$work/w.o" -c "$work/wide.cu" >"$work/said" 2>&1
    check "linked" "$warpcc" -dlink -O2 -rdc=true -o "$work/dlink.o" "$work/w.o"
    if grep -aqE 'st.*\.v4\.' "$work/dlink.o" && grep -aq 'fma\.rn\.f32' "$work/dlink.o"; then pass; else fail "copies in linked code"; fi
}

ptx_has() { # WHAT PATTERN OPTIONS...
    local what=$1 pattern=$2
    shift 2
    rm -f "$work/has.ptx"
    (cd "$work" && "$warpcc" --keep-ptx has.ptx -c -o has.o "$@") && grep -qE "$pattern" "$work/has.ptx" && pass || fail "$what"
}

test_device_linking() {
    make_device_files
    check "-rdc=true" "$warpcc" -rdc=true -o "$work/whole" "$work/main.cu" "$work/other.cu"
    prints "-rdc=true runs" 331 "$work/whole"
    check "-rdc=true -O2" "$warpcc" -rdc=true -O2 -o "$work/whole" "$work/main.cu" "$work/other.cu"
    prints "-rdc=true -O2 runs" 331 "$work/whole"
    (cd "$work" && check "-dc" "$warpcc" -dc main.cu other.cu && ar rcs libother.a other.o)
    check "link two objects" "$warpcc" -o "$work/whole" "$work/main.o" "$work/other.o"
    prints "two objects run" 331 "$work/whole"
    check "object and archive" "$warpcc" -o "$work/whole" "$work/main.o" "$work/libother.a"
    prints "object and archive run" 331 "$work/whole"
    check "-dlink" "$warpcc" -dlink -o "$work/dlink.o" "$work/main.o" "$work/other.o"
    check "the host's linker" gcc -o "$work/whole" "$work/main.o" "$work/other.o" "$work/dlink.o" \
        "-L$build/lib" "-Wl,-rpath,$build/lib" -lcudart -lstdc++
    prints "-dlink runs" 331 "$work/whole"
    check "-dlink's object again" "$warpcc" -o "$work/whole" "$work/main.o" "$work/other.o" "$work/dlink.o"
    prints "-dlink's object again runs" 331 "$work/whole"
    status 1 "nobody defines it" "main.cu:6:34: error: no file defines the device function twice" "$warpcc" -o "$work/whole" "$work/main.o"
    sed 's/^__global__/\n\n\n\n&/' "$work/main.cu" >"$work/late.cu"
    status 1 "at a line of two digits" "late.cu:10:34: error: no file defines the device function twice" "$warpcc" -rdc=true -o "$work/whole" "$work/late.cu"
    status 1 "nor the variable" "no file defines the device variable shared_value" "$warpcc" -o "$work/whole" "$work/main.o"
    status 1 "without -rdc" "compile all of them with -rdc=true" "$warpcc" -o "$work/whole" "$work/main.cu" "$work/other.cu"
    status 1 "defined twice" "two files define the device name" "$warpcc" -o "$work/whole" "$work/main.o" "$work/other.o" "$work/other.o"
    # Kernels that no other file sees: their names are the files' own, and so are those of their parameters.
    printf '#include <stdio.h>\nstatic __global__ void add(int *to, int what) { *to += what; }\nvoid second(int *to);\nint main() { int *d, x = 0; cudaMalloc(&d, 4); cudaMemset(d, 0, 4); add<<<1, 1>>>(d, 7); second(d); cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost); printf("%%d\\n", x); return cudaFree(d); }\n' >"$work/static.cu"
    printf 'static __global__ void add_more(int *to, int what, int more) { *to += what * more; }\nvoid second(int *to) { add_more<<<1, 1>>>(to, 10, 3); }\n' >"$work/second.cu"
    check "static kernels" "$warpcc" -rdc=true -o "$work/whole" "$work/static.cu" "$work/second.cu"
    prints "static kernels run" 37 "$work/whole"
    printf 'static __device__ int own;\n__global__ void w() { own = 1; }\nvoid f() { int x = 0; cudaMemcpyToSymbol(own, &x, 4); }\n' >"$work/third.cu"
    "$warpcc" -rdc=true -o "$work/whole" "$work/main.cu" "$work/other.cu" "$work/third.cu" >"$work/said" 2>&1
    case $? in # a newer clang tells them apart
    0) prints "statics of one name" 331 "$work/whole" ;;
    *) grep -q "give one of them another name" "$work/said" && pass || fail "statics of one name" "$(cat "$work/said")" ;;
    esac
    check "an object without -dc" "$warpcc" -c -o "$work/w.o" "$work/w.cu"
    status 1 "nothing to link" "compile with -dc" "$warpcc" -dlink -o "$work/dlink.o" "$work/w.o"
}

# Managed variables over several files: defined in one, named by the host and the kernels of both.
test_managed() {
    cat >"$work/ours.h" <<'END'
struct Cell { int n; float values[3000]; };
extern __managed__ int total;
extern __device__ __managed__ Cell cell;
__device__ int step();
void report();
END
    cat >"$work/main.cu" <<'END'
#include "ours.h"
__global__ void k() { total += step(); cell.values[2999] = cell.n; }
int main() {
    total = 100;
    cell.n += 1;
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    report();
}
END
    cat >"$work/other.cu" <<'END'
#include "ours.h"
#include <cstdio>
__managed__ int total;
__managed__ Cell cell = {7};
static __managed__ int calls = 30;
__device__ int step() { return ++calls; }
void report() { printf("%d %d %g\n", total, calls, cell.values[2999]); }
END
    check "managed, -rdc=true" "$warpcc" -rdc=true -o "$work/whole" "$work/main.cu" "$work/other.cu"
    prints "managed, -rdc=true runs" "131 31 8" "$work/whole"
    (cd "$work" && check "managed, -dc" "$warpcc" -O2 -dc main.cu other.cu && ar rcs libmanaged.a other.o)
    check "managed in an archive" "$warpcc" -o "$work/whole" "$work/main.o" -L"$work" "$work/libmanaged.a"
    prints "managed in an archive runs" "131 31 8" "$work/whole"
    status 1 "managed and not defined" "no file defines the device variable total" "$warpcc" -o "$work/whole" "$work/main.o"
    printf '__managed__ int x;\nint *p = &x;\nint main() { return *p; }\n' >"$work/early.cu"
    status 1 "the address of a managed variable as a first value" "the address of the managed variable x is no constant" \
        "$warpcc" -o "$work/whole" "$work/early.cu"
}

# Files of the host: compiled with the same options, alone or with others.
test_host_files() {
    printf '#include "mine.h"\n#include <cuda_runtime.h>\nint mine(void) { return MINE; }\n' >"$work/host.cpp"
    check "-c x.cpp" "$warpcc" -I"$work/include" -c -o "$work/host.o" "$work/host.cpp"
    check "x.cpp and x.cu with -I" "$warpcc" -I"$work/include" -o "$work/w" "$work/w.cu" "$work/host.cpp"
    printf 'int restrict_me(int *restrict p) { return *p; }\n' >"$work/host.c"
    check "C stays C" "$warpcc" -std=c++14 -o "$work/w" "$work/w.cu" "$work/host.c"
    cp "$work/w.cu" "$work/kernel.cpp"
    check "-x cu" "$warpcc" -x cu -o "$work/w" "$work/kernel.cpp"
    status 1 "a header that is not there" "what to do about <cusparse.h>" "$warpcc" -c -o "$work/o.o" -include cusparse.h "$work/host.c"
    printf 'extern "C" int cublasCreate_v2(void *); extern "C" int cuInit(int);\nint main() { return cuInit(0) + cublasCreate_v2(nullptr); }\n' >"$work/l.cu"
    status 1 "a function of cuBLAS" "cublasCreate_v2, which is a function of cuBLAS" "$warpcc" -o "$work/w" "$work/l.cu"
    status 1 "a function of the driver API" "use the runtime API" "$warpcc" -o "$work/w" "$work/l.cu" -lcuda
    status 1 "a library that is not there" "say with -L where it is" "$warpcc" -o "$work/w" "$work/w.cu" -lnowhere
}

# Threads of the host share the work, where OpenMP for clang is installed.
test_openmp() {
    cat >"$work/omp.cu" <<'END'
#include <cstdio>
#include <omp.h>
__global__ void k() {}
int main() {
    int threads = 0;
    omp_set_num_threads(3);
#pragma omp parallel reduction(+ : threads)
    threads += 1;
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d\n", threads);
}
END
    if ! echo | "$("$warpcc" -v -c -o "$work/o.o" "$work/a.cu" 2>&1 | head -1 | cut -d' ' -f1)" -fopenmp -include omp.h -x c -c -o /dev/null - 2>/dev/null; then
        status 1 "OpenMP is not installed" "libomp" "$warpcc" -Xcompiler -fopenmp -o "$work/omp" "$work/omp.cu"
        return
    fi
    check "-Xcompiler -fopenmp" "$warpcc" -Xcompiler -fopenmp -o "$work/omp" "$work/omp.cu"
    prints "-Xcompiler -fopenmp runs" 3 "$work/omp"
}

# Marks for NVIDIA's profiler: accepted, and nothing else.
test_marks() {
    cat >"$work/marks.cu" <<'END'
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
static void plain() {
    nvtxEventAttributes_t attributes = {0};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.colorType = NVTX_COLOR_ARGB;
    attributes.color = 0xff00ff00;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "phase";
    nvtxRangePushEx(&attributes);
    nvtxRangePop();
    nvtxDomainHandle_t domain = nvtxDomainCreateA("mine");
    nvtxDomainRangePushEx(domain, &attributes);
    nvtxDomainRangePop(domain);
    nvtxDomainDestroy(domain);
}
int main() {
    nvtx3::scoped_range range("all of it");
    NVTX3_FUNC_RANGE();
    plain();
    nvtxMarkA("here");
    nvtxRangeId_t id = nvtxRangeStartA("part");
    nvtxRangeEnd(id);
    return nvtxRangePushA("inner") + nvtxRangePop();
}
END
    check "marks for the profiler" "$warpcc" -o "$work/marks" "$work/marks.cu" -lnvToolsExt
    check "which do nothing" "$work/marks"
}

# Headers of what is not here.
test_advice() {
    local header
    for header in 'cufft.h:no cuFFT (Fourier transforms)' 'cublasXt.h:no cuBLASXt' 'cublas.h:Include cublas_v2.h' 'thrust/sorted.h:apt install libthrust-dev' 'cub/cube.cuh:apt install libcub-dev' 'cuda/atomics:apt install libcu++-dev' 'cudnn.h:Write the kernel yourself' \
        'helper_cuda.h:say with -I where that is'; do
        printf '#include <%s>\n' "${header%%:*}" >"$work/h.cu"
        status 1 "<${header%%:*}>" "${header#*:}" "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    done
    printf '__global__ void inner() {}\n__global__ void outer() { inner<<<1, 1>>>(); }\n' >"$work/h.cu"
    status 1 "a launch from a kernel" "the launch of inner from device code" "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    printf 'template <int N> __global__ void deep(int n) { if (n > 0) deep<N><<<1, 1>>>(n - 1); }\nint main() { deep<1><<<1, 1>>>(2); }\n' >"$work/h.cu"
    status 1 "a launch of a template from a kernel" "from device code: clang cannot compile launches from kernels" "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    printf '__global__ void add(int *p) {}\nint main() { add(nullptr); }\n' >"$work/h.cu"
    status 1 "a kernel that is called" 'what to do about the call of add: a kernel is launched, by so many blocks of so many threads: add<<<' "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    [ -z "$nvcc" ] || status 1 "a kernel that is called, nvcc" 'kernel<<<blocks, threads>>>' "$warpcc" --nvcc -c -o "$work/h.o" "$work/h.cu"
    printf '__global__ void k(int *p) { __nv_atomic_store_n(p, 1, __NV_ATOMIC_ACQUIRE); }\n' >"$work/h.cu"
    status 1 "a store's order" 'the order of an atomic store cannot be consume, acquire or acq_rel' "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    local refused
    for refused in '__nv_atomic_add((long long *)p, 1, 0)' '__nv_atomic_load_n((float *)p, 0)' '__nv_atomic_min((float *)p, 1, 0)' '__nv_atomic_exchange_n((short *)p, 1, 0)'; do
        printf '__global__ void k(int *p) { %s; }\n' "$refused" >"$work/h.cu"
        status 1 "$refused" 'error' "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    done
    printf '#include <cutil_inline.h>\n' >"$work/h.cu"
    status 1 "cutil" 'CUDA_SAFE_CALL(x) and CUT_SAFE_CALL(x) become x' "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    printf '#include <cstdio>\n__device__ int half(int x) { if (x %% 2 == 0) return x / 2; }\n__global__ void k() { half(3); printf("on\\n"); }\nint last() {}\nint main() { k<<<1, 1>>>(); last(); return cudaDeviceSynchronize() != cudaSuccess; }\n' >"$work/h.cu"
    status 0 "a missing return" "warning: non-void function does not return a value in all control paths" "$warpcc" -o "$work/h" "$work/h.cu"
    said=$("$build/bin/warpgrind" "$work/h" 2>&1) && [[ $said == "on"*"no findings"* ]] && pass || fail "goes on after it" "$said"
    printf 'int main() { int value; return cudaMemRangeGetAttribute(&value, 4, 0, 0, 4); }\n' >"$work/h.cu"
    status 1 "a function that is absent" "cudaMemRangeGetAttribute: it belongs to queries about advice, which the software GPU does not have. Keep what was given to cudaMemAdvise" "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    printf '__global__ void __cluster_dims__(2, 1, 1) k() {}\nint main() {}\n' >"$work/h.cu"
    status 1 "clusters" "error: the software GPU has no clusters of blocks: leave __cluster_dims__ out" "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    printf '__global__ void k(int *p) { *p = 1; cudaDeviceSynchronize(); }\n' >"$work/h.cu"
    status 1 "a kernel that waits" "CUDA 12 removed it from kernels" "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    if [ -n "$nvcc" ]; then
        status 1 "a kernel that waits, nvcc" "CUDA 12 removed it from kernels" "$warpcc" --nvcc -c -o "$work/h.o" "$work/h.cu"
        printf '__global__ void inner() {}\n__global__ void outer() { inner<<<1, 1>>>(); }\n' >"$work/h.cu"
        status 1 "a launch from a kernel, nvcc" "compile with warpcc --nvcc -rdc=true" "$warpcc" --nvcc -c -o "$work/h.o" "$work/h.cu"
    fi
    printf '#include <cutlass/cutlass.h>\n' >"$work/h.cu"
    status 1 "a header of nobody's" "what to do about <cutlass/cutlass.h>: is it installed? Say with -I" "$warpcc" -c -o "$work/h.o" "$work/h.cu"
    printf '#include "mine.h"\n' >"$work/h.cu"
    "$warpcc" -c -o "$work/h.o" "$work/h.cu" 2>&1 | grep -q 'what to do about' && fail "advice about the learner's own header" || pass
}

# What the sources of one program leave to each other: a function, a variable, a kernel that a kernel launches. Each has a file 1.
test_device_linking_by_nvcc() {
    [ -n "$nvcc" ] || return
    cat >"$work/first.cu" <<'E'
#include <cstdio>
extern __device__ int count;
__device__ int square(int x);
__global__ void add(int *p, int k);
static __device__ int own() { return 1; }
__global__ void outer(int *p) {
    count += own();
    p[threadIdx.x] = square(threadIdx.x);
    add<<<1, 4>>>(p, 10);
}
int main() {
    int *d, h[4], c;
    cudaMalloc(&d, sizeof h);
    outer<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&c, count, sizeof c);
    printf("%d %d\n", h[1], c);
}
E
    cat >"$work/second.cu" <<'E'
__device__ int count = 4;
static __device__ int own() { return 2; }
__device__ int square(int x) { return x * x + own(); }
__global__ void add(int *p, int k) {
    if (threadIdx.x > 0) p[threadIdx.x] = p[0] + k;
    if (threadIdx.x == 3) p[4] = 0;
}
E
    for level in 0 2; do
        check "nvcc -rdc=true of two, -O$level" "$warpcc" --nvcc -O$level -rdc=true -o "$work/whole" "$work/first.cu" "$work/second.cu"
        local said
        said=$("$build/bin/warpgrind" --full "$work/whole" 2>&1)
        [[ $said == *"12 5"* && $said == *"out-of-bounds"*"second.cu:6:"* ]] && pass || fail "two sources by nvcc run, -O$level" "$said"
    done
}

# A precompiled header that no longer fits is left aside, and nobody notices.
test_precompiled() {
    local copy=$work/copy
    mkdir -p "$copy/bin" && cp -r "$build/include" "$copy/include" && cp "$warpcc" "$copy/bin/warpcc"
    rm -rf "$copy/include/precompiled"
    check "without precompiled headers" "$copy/bin/warpcc" $exact -c -o "$work/o.o" programs/vector_add.cu
    check "make them" "$copy/bin/warpcc" --precompile
    check "with them" "$copy/bin/warpcc" $exact -c -o "$work/o.o" programs/vector_add.cu
    status 0 "they are used" "include-pch" "$copy/bin/warpcc" -v -c -o "$work/o.o" programs/vector_add.cu
    echo '/* newer */' >>"$copy/include/cuda_runtime.h"
    check "with stale ones" "$copy/bin/warpcc" $exact -c -o "$work/o.o" programs/vector_add.cu
    for header in "$copy"/include/precompiled/*.pch; do echo garbage >"$header"; done
    check "with broken ones" "$copy/bin/warpcc" $exact -c -o "$work/o.o" programs/vector_add.cu
}

# A source that says nothing reads next to nothing of the precompiled headers: clang itself counts. It counts names, since a newer clang
# takes a declaration that it never looked at for one that was read; with the list of all functions there are some 800.
test_precompiled_trim() {
    local command count
    : >"$work/nothing.cu"
    command=$("$warpcc" -v -c -o "$work/o.o" "$work/nothing.cu" 2>&1 | sed -n "1s,-o [^ ]*,-o $work/o.ptx -Xclang -print-stats,p")
    # shellcheck disable=SC2086 # a command is words
    count=$($command 2>&1 | sed -n 's,^ *\([0-9]*\)/[0-9]* identifiers read.*,\1,p')
    [ "${count:-9999}" -lt 200 ] && pass || fail "an empty source reads $count names of the precompiled headers"
}

# gets NAME SUFFIX OPTIONS...: both sides of the source on stdin are compiled with this precompiled header, and without a word.
gets() {
    local name=$1 used said others
    cat >"$work/gets.cu"
    said=$("$warpcc" "${@:3}" -v -c -o "$work/o.o" "$work/gets.cu" 2>&1) || fail "$name" "$said"
    others=$(grep -vE '^(/[^ ]*clang[^ ]* -x cuda |device code: )' <<<"$said")
    if [ -z "$others" ]; then pass; else fail "$name" "$others"; fi
    used=$(grep -oE '(device|optimised|host)[a-z-]*-[0-9a-f]+-[0-9a-f]+\.pch' <<<"$said" | sed -E 's/^[a-z]*//; s/-[0-9a-f]+-[0-9a-f]+\.pch//' | paste -sd' ')
    if [ "$used" = "$2 $2" ]; then pass; else fail "$name: precompiled headers '$used'"; fi
}

# What a source includes before it says anything else is precompiled, and nothing that it does not include.
test_precompiled_choice() {
    local setting main='int main() { std::vector<int> v(3); printf("%zu", v.size()); }'
    gets "nothing included" "" <<<'int x;'
    gets "<cstdio>" "-stdio" <<<$'#include <cstdio>\nint main() { std::printf("x"); }'
    gets "<vector>, with -O2" "-vector" -O2 <<<"#include <stdio.h>"$'\n'"#include <vector>"$'\n'"$main"
    gets "<vector> behind comments" "-vector" <<<"/* #if 0 */ // #define"$'\n'"# include <vector> // here"$'\n'"#include	<cstdio>"$'\n'"$main"
    gets "<iostream>" "-iostream" <<<$'#include <iostream>\n#include <cstdio>\nint main() { std::cout << 1; printf("2"); }'
    gets "<iostream> and <vector>" "-iostream-vector" <<<"#include <vector>"$'\n'"#include <iostream>"$'\n'"$main"
    gets "<mma.h>" "-mma" <<<"#include <cstdio>"$'\n'"#include <cuda_fp16.h>"$'\n'"#include <mma.h>"$'\n''using nvcuda::wmma::mem_row_major; int main() { std::printf("x"); }'
    printf '#ifndef OWN_H\n#define OWN_H\n#include <vector>\n#define OWN 1\n#endif\n' >"$work/include/own.h"
    gets "a header of one's own" "-vector" -I "$work/include" <<<"#include <cstdio>"$'\n'"#include <own.h>"$'\n'"$main"
    gets "what follows a definition" "-stdio" <<<"#include <cstdio>"$'\n'"#define N 3"$'\n'"#include <vector>"$'\n'"$main"
    gets "what follows a header's definition" "" -I"$work/include" <<<"#include <own.h>"$'\n'"#include <cstdio>"$'\n'"$main"
    gets "what a condition guards" "" <<<"#ifdef __CUDACC__"$'\n'"#include <cstdio>"$'\n'"#include <vector>"$'\n'"#endif"$'\n'"$main"
    for setting in -D_GLIBCXX_DEBUG "-D _GLIBCXX_DEBUG"; do
        # shellcheck disable=SC2086 # one word or two
        check "a setting of the C++ library: $setting" "$warpcc" $setting -c -o "$work/o.o" "$work/gets.cu"
        # shellcheck disable=SC2086
        "$warpcc" $setting -v -c -o "$work/o.o" "$work/gets.cu" 2>&1 | grep -q '\.pch' && fail "precompiled headers in spite of $setting" || pass
    done
    gets "what a condition guards that defines nothing" "" <<<$'#ifndef N\n#include <cstdio>\n#endif\nint x;'
    gets "what a guard with another name guards" "" <<<$'#ifndef ABC\n#define ABD\n#include <cstdio>\n#endif\nint x;'
    gets "a definition on the command line" "" -DN=3 <<<"#include <cstdio>"$'\n'"#include <vector>"$'\n'"$main"
    printf '#pragma once\n#include <stdlib.h>\nnamespace std { template <typename T> struct vector { vector(int) {} size_t size() { return 0; } }; }\n' >"$work/include/vector"
    gets "a vector of one's own" "-stdio" -I"$work/include" <<<"#include <cstdio>"$'\n'"#include <vector>"$'\n'"$main"
    rm "$work/include/vector"
    printf '#include <cstdio>\n#include <iostream>\n%s\n' "$main" >"$work/h.cu"
    status 1 "<vector> forgotten beside <iostream>" "no member named 'vector' in namespace 'std'" "$warpcc" -c -o "$work/o.o" "$work/h.cu"
    printf '#define max(a, b) 1\n#include <vector>\n' >"$work/h.cu"
    status 1 "a macro that breaks <vector>" "error" "$warpcc" -c -o "$work/o.o" "$work/h.cu"
}

# Debian's CUB, Thrust and libcu++: what they need is there for those who include them, and for nobody else.
test_libraries() {
    local said file
    if [ ! -e /usr/include/cub/cub.cuh ] || [ ! -e /usr/include/cuda/std/atomic ]; then
        echo "SKIPPED: CUB and libcu++ are not installed (make setup)"
        return
    fi
    printf '#include <cub/cub.cuh>\n' >"$work/l.cu"
    status 0 "all of CUB is precompiled" device-cub "$warpcc" -v -c -o "$work/o.o" "$work/l.cu"
    printf '#define CUB_STDERR\n#include <cub/cub.cuh>\n' >"$work/l.cu"
    if said=$("$warpcc" -v -c -o "$work/o.o" "$work/l.cu" 2>&1); then pass; else fail "CUB with a setting" "$said"; fi
    grep -q device-cub <<<"$said" && fail "precompiled CUB despite a setting" || pass
    # What the optimiser says of a loop is for who wrote the loop, in colours or not.
    printf '#include <thrust/device_vector.h>\n#include <thrust/sort.h>\nvoid sort(thrust::device_vector<int> &v) { thrust::sort(v.begin(), v.end()); }\n' >"$work/l.cu"
    check "loops of a library that stay loops" "$warpcc" -O2 -c -o "$work/o.o" "$work/l.cu"
    check "the same in colours" "$warpcc" -O2 -fcolor-diagnostics -c -o "$work/o.o" "$work/l.cu"
    printf '__global__ void k(int *p, int n) {\n#pragma unroll\n    for (int i = threadIdx.x; i < n; i += 32) p[i] = __ballot_sync(~0u, p[i]);\n}\n' >"$work/l.cu"
    status 0 "a loop of one's own that stays a loop" "l.cu:3:5: warning: loop not unrolled" "$warpcc" -O2 -c -o "$work/o.o" "$work/l.cu"
    printf '#include <cuda/std/tuple>\n' >"$work/l.h"
    printf '#include "l.h"\n__device__ cuda::std::tuple<int, float> pair;\n' >"$work/l.cu"
    check "libcu++ through a header of one's own" "$warpcc" -c -o "$work/o.o" "$work/l.cu"
    # On another system there is another libcu++: what was corrected for this one's is not taken for that one's.
    mkdir -p "$work/elsewhere/bin" "$work/elsewhere/include"
    cp "$warpcc" "$work/elsewhere/bin/"
    (cd "$build/include" && tar -c --exclude=precompiled .) | tar -x -C "$work/elsewhere/include"
    find "$work/elsewhere/include/libcudacxx" -type f ! -name overlay.yaml ! -name made-from -exec sh -c 'echo "#error a copy is read" >"$1"' sh {} \;
    printf '#include <cuda/std/tuple>\n#include <cuda/std/complex>\n' >"$work/l.cu"
    status 1 "copies of libcu++'s headers where they were made" "a copy is read" "$work/elsewhere/bin/warpcc" -c -o "$work/o.o" "$work/l.cu"
    echo >>"$work/elsewhere/include/libcudacxx/made-from"
    said=$("$work/elsewhere/bin/warpcc" -c -o "$work/o.o" "$work/l.cu" 2>&1)
    if grep -q "a copy is read" <<<"$said"; then fail "copies of another libcu++'s headers are not read" "$said"; else pass; fi
    for file in "$work/elsewhere/include/libcub/"*.cuh; do echo "#error a copy is read" >"$file"; done
    printf '#include <cub/device/device_reduce.cuh>\n' >"$work/l.cu"
    status 1 "copies of CUB's headers where they were made" "a copy is read" "$work/elsewhere/bin/warpcc" -c -o "$work/o.o" "$work/l.cu"
    echo >>"$work/elsewhere/include/libcub/made-from"
    check "copies of another CUB's headers are not read" "$work/elsewhere/bin/warpcc" -c -o "$work/o.o" "$work/l.cu"
    printf '__device__ int any(int n, ...) { return n; }\n' >"$work/l.cu"
    status 1 "a variadic device function" "does not support variadic functions" "$warpcc" -c -o "$work/o.o" "$work/l.cu"
}

# Small programs that several groups compile.
make_small_programs() {
    printf '__global__ void a(int *p) { *p = 1; }\nvoid run_a() { a<<<1, 1>>>(nullptr); }\n' >"$work/a.cu"
    printf '#include <cstdio>\nvoid run_a();\n__global__ void b(int *p) { *p = 1; }\nint main() { run_a(); b<<<1, 1>>>(nullptr); }\n' >"$work/b.cu"
    printf '__global__ void k(float *p) { p[0] = p[1] * p[2] + p[3]; }\nint main() { k<<<1, 1>>>(nullptr); return 0; }\n' >"$work/w.cu"
    mkdir -p "$work/include"
    echo '#define MINE 3' >"$work/include/mine.h"
}

# The groups, and the sources of which each tells most.
command_groups() {
    cat <<'END'
one_start warpcc/one_start.h warpcc/job.c
embedding warpcc/embed.c
host_from warpcc/build.c
crash warpcc/messages.c
options warpcc/options.def warpcc/command.c
nvcc_words warpcc/spelling.c warpcc/request.c
architecture warpcc/targets.c
wide_copies warpcc/wide_copies.c
toolkits include/cuda_old_names.def
old_names include/cuda_old_names.def
device_linking warpcc/device_link.c warpcc/program_link.c warpcc/statics.c
device_linking_by_nvcc warpcc/nvcc.c warpcc/program_link.c
managed warpcc/managed.c warpcc/managed_object.c
host_files warpcc/undefined.c warpcc/libraries.c
openmp warpcc/arguments.c
marks include/nvToolsExt.h
advice warpcc/absent.def warpcc/launches.c
precompiled warpcc/precompiled.c
precompiled_trim warpcc/precompiled_trim.c
precompiled_choice warpcc/includes.c warpcc/precompiled.def
libraries warpcc/libcudacxx.sh
END
}

test_commands() {
    local group
    make_small_programs
    test_usage
    test_missing
    while read -r group _; do "test_$group"; done < <(command_groups | (cd ../.. && drawn 3 "groups of warpcc's commands"))
    if [ -z "$(ls "$TMPDIR")" ]; then pass; else fail "folders are left behind" "$(ls "$TMPDIR")"; fi
}
