#include "mistake.h"

/* Blocks and warps wait for each other through volatile, with fences or with the value in the flag itself. */
__global__ void hand_over(int *out, int *data, volatile int *ready) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = (int)threadIdx.x;
        __syncthreads();
        __threadfence();
        if (threadIdx.x == 0) *ready = 1;
    } else {
        if (threadIdx.x == 0) {
            while (*ready == 0) { // near: global-race
            }
            __threadfence();
        }
        __syncthreads();
        out[blockIdx.x * 64 + threadIdx.x] = data[threadIdx.x]; // near: global-race
    }
}

__global__ void look_back(int *out, volatile int *states) {
    int state = 0;
    if (blockIdx.x == 0) state = 1;
    while (__any_sync(0xffffffffu, state == 0))
        state = states[(blockIdx.x - 1) * 64 + threadIdx.x]; // near: global-race
    states[blockIdx.x * 64 + threadIdx.x] = state + 1;
    out[blockIdx.x * 64 + threadIdx.x] += state;
}

__global__ void take_turns(int *out) {
    __shared__ int value;
    __shared__ volatile int full;
    if (threadIdx.x == 0) full = 0;
    __syncthreads();
    for (int round = 1; round <= 3; round++) {
        if (threadIdx.x == 0) {
            while (full) {
            }
            __threadfence_block();
            value = round; // near: shared-race
            __threadfence_block();
            full = 1;
        }
        if (threadIdx.x == 32) {
            while (!full) {
            }
            __threadfence_block();
            *out += value; // near: shared-race
            __threadfence_block();
            full = 0; // near: shared-race
        }
    }
}

__global__ void lock_and_unlock(int *total, int *lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *total += 1;
    __threadfence();
    *(volatile int *)lock = 0; // near: global-race
}

int main() {
    int *memory = nullptr;
    CHECK(cudaMalloc(&memory, 1024 * sizeof(int)));
    CHECK(cudaMemset(memory, 0, 1024 * sizeof(int)));
    hand_over<<<4, 64>>>(memory, memory + 256, memory + 512);
    look_back<<<4, 64>>>(memory, memory + 516);
    take_turns<<<1, 64>>>(memory);
    lock_and_unlock<<<4, 64>>>(memory + 1, memory + 1000);
    finish();
    CHECK(cudaFree(memory));
}
