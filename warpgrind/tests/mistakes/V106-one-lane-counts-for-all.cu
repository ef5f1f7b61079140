#include "mistake.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

/* As in NVIDIA's articles: the variable has a value in the leader alone, and the shuffle brings that to the others. */
__device__ int place_in_group(int *counter) {
    cg::coalesced_group here = cg::coalesced_threads();
    int before;
    if (here.thread_rank() == 0) before = atomicAdd(counter, here.size());
    return here.shfl(before, 0) + here.thread_rank(); // near: uninitialized-read
}

__device__ int place_in_warp(int *counter) {
    const unsigned mask = __activemask();
    const int leader = __ffs(mask) - 1, lane = threadIdx.x % 32;
    int before;
    if (lane == leader) before = atomicAdd(counter, __popc(mask));
    before = __shfl_sync(mask, before, leader); // near: uninitialized-read
    return before + __popc(mask & ((1u << lane) - 1));
}

__global__ void keep_odd(int *out, int *counters, const int *in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] % 2) out[place_in_group(&counters[0])] = in[i];
    if (in[i] % 2) out[n + place_in_warp(&counters[1])] = in[i];
}

int main(void) {
    const int n = 200;
    int host[n], counts[2], *in, *out, *counters, odd = 0;
    for (int i = 0; i < n; i++) {
        host[i] = i * 7 % 5;
        odd += host[i] % 2;
    }
    CHECK(cudaMalloc(&in, sizeof host));
    CHECK(cudaMalloc(&out, 2 * sizeof host));
    CHECK(cudaMalloc(&counters, sizeof counts));
    CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(counters, 0, sizeof counts));
    keep_odd<<<2, 128>>>(out, counters, in, n);
    finish();
    CHECK(cudaMemcpy(counts, counters, sizeof counts, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(host, out, odd * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(host, out + n, odd * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(counters));
    return counts[0] == odd && counts[1] == odd ? 0 : 1;
}
