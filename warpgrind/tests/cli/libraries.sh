#!/bin/bash
# Whose code is it: what only the authors of CUB or Thrust could mend is a note, what a program does with them wrongly an error, and in a
# judged run nothing is hidden by the name of a file. Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

mkdir -p "$work/include/cub" "$work/mine"
cat >"$work/include/cub/agent.cuh" <<'EOF'
#pragma once
#include <cuda/atomic>
namespace cub {
/* The last thread's value is made of nothing, and thrown away. */
__device__ __noinline__ int pick(int a) {
    int prefix;
    if (a > 0) prefix = a;
    if (threadIdx.x == 31) return prefix > 3 ? a : a + 0;
    return a;
}
template <class Functor> __global__ void each_kernel(int *out, Functor f) { out[threadIdx.x] = pick(f((int)threadIdx.x - 31)); }
/* Each block waits for the one before by a relaxed flag, then writes where its elements belong: a look-back scan in small. */
__device__ unsigned flags[64], tickets;
template <class T> __global__ void compact_kernel(const T *in, T *out, bool waits) {
    T value = in[32 * blockIdx.x + threadIdx.x];
    if (value == 12345) return;
    __syncthreads();
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> mine(flags[blockIdx.x]), before(flags[blockIdx.x > 0 ? blockIdx.x - 1 : 0]);
    if (threadIdx.x == 0 && waits) {
        while (blockIdx.x > 0 && before.load(cuda::memory_order_relaxed) == 0) {}
        mine.store(1, cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (blockIdx.x > 0) out[32 * blockIdx.x + threadIdx.x - 8] = value;
}
struct Storage { int cell[64]; };
__device__ inline int neighbour(Storage &storage, int value) {
    storage.cell[threadIdx.x] = value;
    __syncthreads();
    return storage.cell[(threadIdx.x + 33) % 64];
}
__global__ void turns_kernel(int *out) {
    int sum = 0;
    for (int i = 0; i < 64; i++)
        if ((threadIdx.x + i) % 2) {
            for (int k = 0; k < 4; k++) sum = sum * 3 + k;
        } else {
            for (int k = 0; k < 4; k++) sum = sum / 2 - k;
        }
    out[64 * blockIdx.x + threadIdx.x] = sum;
}
}
EOF
cp "$work/include/cub/agent.cuh" "$work/mine/agent.cuh"
sed -i 's/namespace cub/namespace mine/' "$work/mine/agent.cuh"

cat >"$work/uses.cu" <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#ifdef MINE
#include "mine/agent.cuh"
namespace library = mine;
#else
#include <cub/agent.cuh>
namespace library = cub;
#endif
struct Same { __device__ int operator()(int a) const { return a; } };
struct Careless {
    __device__ int operator()(int a) const {
        int x;
        if (a > 0) x = a;
        if (x > 5) return a; // line: careless
        return a + 1;
    }
};
__global__ void twice(int *out) {
    __shared__ library::Storage storage;
    int a = library::neighbour(storage, (int)threadIdx.x);
    out[threadIdx.x] = a + library::neighbour(storage, a); // line: storage
}
int main(int, char **argv) {
    int *d;
    cudaMalloc(&d, 4096);
    cudaMemset(d, 0, 4096);
    const char *how = argv[1];
    if (!strcmp(how, "each")) library::each_kernel<<<1, 32>>>(d, Same());
    if (!strcmp(how, "functor")) library::each_kernel<<<1, 32>>>(d, Careless());
    if (!strcmp(how, "in-place") || !strcmp(how, "first")) library::compact_kernel<<<8, 32>>>(d, d, true);
    if (!strcmp(how, "first")) cudaDeviceSynchronize(), cudaMemset(d, 0, 4096);
    if (!strcmp(how, "overlap") || !strcmp(how, "first")) library::compact_kernel<<<8, 32>>>(d, d + 16, true);
    if (!strcmp(how, "no-wait")) library::compact_kernel<<<8, 32>>>(d, d, false);
    if (!strcmp(how, "storage")) twice<<<1, 64>>>(d);
    if (!strcmp(how, "turns")) library::turns_kernel<<<4, 64>>>(d);
    static int h[1024];
    if (cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    return cudaFree(d) != cudaSuccess;
}
EOF
"$warpcc" -I "$work/include" -o "$work/uses" "$work/uses.cu" >"$work/log" 2>&1 || verdict "the program compiles" "$(head -n 5 "$work/log")"
"$warpcc" -I "$work" -DMINE -o "$work/uses-mine" "$work/uses.cu" >"$work/log" 2>&1 || verdict "the program compiles" "$(head -n 5 "$work/log")"

# program | word | seed | what jq asks of the findings. The exit status goes with them.
while IFS='|' read -r program word filter; do
    for seed in 0 1; do
        rm -f "$work/report.json"
        run --seed $seed --report "$work/report.json" "$work/$program" "$word"
        check "$program $word, seed $seed" "json_says --argjson status $status '[.findings[] | select(.severity == \"error\")] as \$errors | [.findings[] | select(.severity == \"note\")] as \$notes | ($filter) and \$status == if \$errors == [] then 0 else 1 end' $work/report.json"
    done
done <<'EOF'
uses|each|$errors == [] and ($notes | length == 1) and $notes[0].kind == "uninitialized-read" and ($notes[0].message | test("^in the library.s own code: ")) and ($notes[0].explanation | contains("nothing in it is yours to mend"))
uses-mine|each|$errors | length == 1 and .[0].kind == "uninitialized-read"
uses|functor|$errors | any(.kind == "uninitialized-read" and (.file | endswith("uses.cu")))
uses|in-place|$errors == [] and any($notes[]; .kind == "global-race" and (.message | test("^in the library.s own code: ")))
uses-mine|in-place|$errors | any(.kind == "global-race")
uses|overlap|$errors | any(.kind == "global-race")
uses|first|$errors | any(.kind == "global-race" and .launch == 2)
uses|no-wait|$errors | any(.kind == "global-race")
uses|storage|$errors | any(.kind == "shared-race")
uses|turns|$errors == [] and ([$notes[] | select(.kind == "divergent-branch")] == [])
uses-mine|turns|any($notes[]; .kind == "divergent-branch")
EOF

finish
