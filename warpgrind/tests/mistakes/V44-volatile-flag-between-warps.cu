#include "mistake.h"

__global__ void hand_over(int *out) {
    __shared__ int value;
    __shared__ int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 42;
        __threadfence_block();
        atomicExch(&ready, 1);
    }
    if (threadIdx.x == 32) {
        while (atomicAdd(&ready, 0) == 0) { // near: hang
        }
        __threadfence_block();
        *out = value; // near: shared-race
    }
}

int main() {
    int *out = nullptr;
    CHECK(cudaMalloc(&out, sizeof(int)));
    hand_over<<<1, 64>>>(out);
    finish();
    CHECK(cudaFree(out));
}
