/* A lock is taken by an atomic, which orders nothing until a fence follows: whether the access after it is a load or a store, and whether the atomic compares
 * or exchanges. What a lock protects needs both fences, and what is only claimed needs none.
 */
#include "mistake.h"

__device__ int lock_word, total, last, keys[8], values[8];
__device__ unsigned ticket;

__global__ void loads(int *out) {
    while (atomicCAS(&lock_word, 0, 1) != 0) {
    }
    out[blockIdx.x] = total; // expect: global-race // says: The lock or flag was taken, but nothing stops the read
    total = (int)blockIdx.x; // also: global-race
    __threadfence();
    atomicExch(&lock_word, 0);
}

__global__ void stores() {
    while (atomicCAS(&lock_word, 0, 1) != 0) {
    }
    last = (int)blockIdx.x; // expect: global-race // says: The lock or flag was taken, but nothing stops the write
    __threadfence();
    atomicExch(&lock_word, 0);
}

__global__ void exchanges() {
    while (atomicExch(&lock_word, 1) != 0) {
    }
    last = (int)blockIdx.x; // expect: global-race
    __threadfence();
    atomicExch(&lock_word, 0);
}

__global__ void too_narrow() {
    while (atomicCAS(&lock_word, 0, 1) != 0) {
    }
    __threadfence_block();
    last = (int)blockIdx.x; // expect: global-race
    __threadfence();
    atomicExch(&lock_word, 0);
}

__global__ void gives_back_too_soon() {
    while (atomicCAS(&lock_word, 0, 1) != 0) {
    }
    __threadfence();
    total += (int)blockIdx.x; // expect: global-race // says: between the last of them and the atomic that gives the lock back
    atomicExch(&lock_word, 0);
}

__global__ void both_fences() {
    while (atomicCAS(&lock_word, 0, 1) != 0) {
    }
    __threadfence();
    total += (int)blockIdx.x; // near: global-race
    __threadfence();
    atomicExch(&lock_word, 0);
}

/* Who has the slot has it alone, and learns nothing of others. */
__global__ void claims(int key) {
    for (int at = key; at < 8; at++)
        if (atomicCAS(&keys[at], 0, key + (int)blockIdx.x) == 0) {
            values[at] = (int)blockIdx.x; // near: global-race
            __threadfence();
            break;
        }
}

__global__ void last_block(int *out) {
    values[blockIdx.x] = 1;
    __threadfence();
    if (atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1)
        for (unsigned i = 0; i < gridDim.x; i++) *out += values[i]; // near: global-race
}

int main() {
    int *out = nullptr;
    CHECK(cudaMalloc(&out, 4 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 4 * sizeof(int)));
    loads<<<2, 1>>>(out);
    stores<<<2, 1>>>();
    exchanges<<<2, 1>>>();
    too_narrow<<<2, 1>>>();
    gives_back_too_soon<<<2, 1>>>();
    both_fences<<<4, 1>>>();
    claims<<<3, 1>>>(1);
    last_block<<<3, 1>>>(out);
    int sums[4], stored;
    CHECK(cudaMemcpyFromSymbol(&stored, last, sizeof stored));
    CHECK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
}
