/* A word is changed by atomics, and the same threads read or write it plainly as well: a lock that is given back, a place that is looked up before it is taken,
 * a guess that each round makes anew. */
#include "mistake.h"

__global__ void gives_back(int *lock, int *total) {
    while (atomicCAS(lock, 0, 1) != 0) { // also: global-race
    }
    __threadfence();
    *total += (int)blockIdx.x; // also: global-race
    *lock = 0;                 // expect: global-race // says: If the write gives a lock back, let an atomic do that
}

__global__ void appends(int *list, int *length) {
    list[*length] = (int)threadIdx.x; // expect: global-race // says: read from memory, and is the same for several of them
    atomicAdd(length, 1);             // also: global-race
}

__global__ void numbers(int *next, int *out) {
    int mine = *next;   // expect: global-race // says: An atomic returns what it found
    atomicAdd(next, 1); // also: global-race
    out[threadIdx.x + blockIdx.x * blockDim.x] = mine;
}

/* What the last read says of this thread's own turn is not asked. */
__global__ void largest(const int *in, int *most) {
    const int mine = in[blockIdx.x * blockDim.x + threadIdx.x];
    int old = *most; // near: global-race
    while (old < mine) {
        if (atomicCAS(most, old, mine) == old) break; // also: global-race
        old = *most;                                  // also: global-race
    }
}

__global__ void right(int *list, int *length, int *lock, int *total) {
    list[atomicAdd(length, 1)] = (int)threadIdx.x; // near: global-race
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) { // near: global-race
    }
    __threadfence();
    *total += 1; // near: global-race
    __threadfence();
    atomicExch(lock, 0); // near: global-race
}

int main() {
    const int threads = 64, blocks = 2, all = threads * blocks;
    int *list = nullptr, *words = nullptr, h[all];
    CHECK(cudaMalloc(&list, sizeof h));
    CHECK(cudaMalloc(&words, 4 * sizeof(int)));
    CHECK(cudaMemset(list, 0, sizeof h));
    CHECK(cudaMemset(words, 0, 4 * sizeof(int)));
    gives_back<<<blocks, 1>>>(words, words + 1);
    appends<<<blocks, threads>>>(list, words + 2);
    numbers<<<blocks, threads>>>(words + 3, list);
    finish();
    CHECK(cudaMemcpy(h, list, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(words, 0, 4 * sizeof(int)));
    largest<<<blocks, threads>>>(list, words);
    finish();
    CHECK(cudaMemcpy(h, words, sizeof *h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(words, 0, 4 * sizeof(int)));
    right<<<blocks, threads>>>(list, words, words + 1, words + 2);
    finish();
    CHECK(cudaMemcpy(h, list, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(list));
    CHECK(cudaFree(words));
    return h[0] < 0;
}
