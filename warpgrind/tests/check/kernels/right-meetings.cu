// expect-none: lanes that come to one shuffle by calls of their own, from other places and from other depths.
#include "../../mistakes/mistake.h"

#include <stdio.h>
#include <stdlib.h>

__device__ __noinline__ int exchange(int value) {
    int first = __shfl_xor_sync(0xffffffffu, value, 16);
    int second = __shfl_down_sync(0xffffffffu, first, 1);
    unsigned many = __ballot_sync(0xffffffffu, value % 3 == 0);
    return first * 1000 + second + (int)(many & 1);
}

__device__ __noinline__ int descend(int depth, int value) {
    int mine = value * 3;
    if (depth > 0)
        mine += descend(depth - 1, value + 1);
    else
        mine += __shfl_xor_sync(0xffffffffu, mine, 1);
    return mine;
}

__global__ void two_calls(int *out) {
    int lane = threadIdx.x, result;
    if (lane < 16)
        result = exchange(lane) + 1;
    else
        result = exchange(lane + 100) + 2;
    out[lane] = result;
}

__global__ void two_depths(int *out) { out[threadIdx.x] = descend(threadIdx.x & 1, threadIdx.x); }

static void expect(const char *what, int lane, int got, int wanted) {
    if (got == wanted) return;
    printf("%s: lane %d has %d, not %d\n", what, lane, got, wanted);
    exit(2);
}

int main() {
    int *out, host[32];
    CHECK(cudaMalloc(&out, sizeof host));
    two_calls<<<1, 32>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int lane = 0; lane < 32; lane++) {
        int values[32], first[32];
        for (int k = 0; k < 32; k++) values[k] = k < 16 ? k : k + 100;
        for (int k = 0; k < 32; k++) first[k] = values[k ^ 16];
        int second = lane < 31 ? first[lane + 1] : first[31];
        expect("two calls", lane, host[lane], first[lane] * 1000 + second + 1 + (lane < 16 ? 1 : 2));
    }
    two_depths<<<1, 32>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int lane = 0; lane < 32; lane++) {
        int other = lane ^ 1, here = (lane + (lane & 1)) * 3, there = (other + (other & 1)) * 3;
        expect("two depths", lane, host[lane], here + there + (lane & 1 ? lane * 3 : 0));
    }
    CHECK(cudaFree(out));
}
