/* An index of -1 that is no neighbour's, a local array of a function that has returned, and an atomic on a local variable. */
#include "mistake.h"

__global__ void into_slots(int *slots, const int *keys, int n) {
    atomicAdd(&slots[keys[threadIdx.x] % n], 1); // expect: out-of-bounds // says: % was taken of a negative one
}

__device__ int *table(int first) {
    int values[4];
    for (int i = 0; i < 4; i++) values[i] = first + i;
    int *volatile kept = values;
    return kept;
}

__global__ void looks_up(int *out) {
    int *values = table(threadIdx.x);
    out[threadIdx.x] = values[2]; // also: out-of-bounds uninitialized-read
}

__global__ void alone(int *out) {
    int sum = 0;
    atomicAdd(&sum, (int)threadIdx.x); // expect: api-misuse // says: on a local variable
    out[threadIdx.x] = sum;
}

int main() {
    const int n = 32;
    int *keys = nullptr, *slots = nullptr, h[n];
    for (int i = 0; i < n; i++) h[i] = i < 8 ? i : -1;
    CHECK(cudaMalloc(&keys, sizeof h));
    CHECK(cudaMalloc(&slots, sizeof h));
    CHECK(cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(slots, 0, sizeof h));
    into_slots<<<1, n>>>(slots, keys, 16);
    CHECK(cudaMemcpy(h, slots, sizeof h, cudaMemcpyDeviceToHost));
    looks_up<<<1, n>>>(slots);
    finish();
    alone<<<1, n>>>(slots);
    return cudaDeviceSynchronize() == cudaSuccess;
}
