/* What holds within a block only orders no blocks, and a flag that is seen without a fence orders neither loads nor stores: the
 * table of docs/memory-order.md. */
#include "mistake.h"

__device__ int counter, flag, data;

__global__ void count_in_blocks(int *out) {
    if (threadIdx.x == 0) atomicAdd_block(&counter, 1); // expect: global-race
    out[blockIdx.x] = 1;
}

__global__ void tell_the_block(int *out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data = 42; // expect: global-race
        __threadfence_block();
        atomicExch(&flag, 1);
    } else {
        while (atomicAdd(&flag, 0) == 0) {
        }
        __threadfence();
        *out = data; // expect: global-race
    }
}

__global__ void store_without_fence(int *out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *out = data; // expect: global-race
        __threadfence();
        atomicExch(&flag, 2);
    } else {
        while (atomicAdd(&flag, 0) != 2) {
        }
        data = 1; // expect: global-race
    }
}

__global__ void tell_all(int *out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data = 43; // near: global-race
        __threadfence();
        atomicExch(&flag, 3);
    } else {
        while (atomicAdd(&flag, 0) != 3) {
        }
        __threadfence();
        *out = data; // near: global-race
    }
}

__global__ void look_at_counter(int *out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0)
        atomicAdd(&counter, 1); // near: global-race
    else
        *out = *(volatile int *)&counter; // near: global-race
}

/* The counter of one block, looked at by another one: its scope ends before that. Within the block it does not. */
__global__ void look_at_blocks_counter(int *out) {
    if (threadIdx.x % 32 != 0) return;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        atomicAdd_block(&counter, 1); // expect: global-race
    else if (blockIdx.x == 1)
        out[threadIdx.x / 32] = *(volatile int *)&counter; // expect: global-race
}

__global__ void look_at_own_counter(int *out) {
    if (threadIdx.x == 0) atomicAdd_block(&counter, 1); // near: global-race
    if (threadIdx.x == 32) *out = *(volatile int *)&counter; // near: global-race
}

int main() {
    int *out = nullptr, host[2];
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMemset(out, 0, sizeof host));
    count_in_blocks<<<2, 32>>>(out);
    tell_the_block<<<2, 32>>>(out);
    store_without_fence<<<2, 32>>>(out);
    tell_all<<<2, 32>>>(out);
    look_at_counter<<<2, 32>>>(out);
    look_at_blocks_counter<<<2, 64>>>(out);
    look_at_own_counter<<<1, 64>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0] != 0);
    CHECK(cudaFree(out));
}
