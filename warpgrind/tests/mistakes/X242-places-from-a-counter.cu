/* A place that an atomic has given out is one of as many as threads have asked for. */
#include "mistake.h"

enum { N = 64, PLACES = 32 };

// The limit of atomicInc is one of the numbers that it gives.
__global__ void ring(int *slots, unsigned *head) {
    unsigned slot = atomicInc(head, PLACES);
    atomicExch(&slots[slot], (int)threadIdx.x); // expect: out-of-bounds // says: For 32 elements the limit is 31
}

__global__ void right_ring(int *slots, unsigned *head) {
    unsigned slot = atomicInc(head, PLACES - 1);
    atomicExch(&slots[slot], (int)threadIdx.x); // near: out-of-bounds
}

// That 64 threads work, and that the array has 64 elements of 2 bytes, is chance.
__global__ void list(int *found, unsigned *count, const int *x) {
    if (x[threadIdx.x] > 0) found[atomicAdd(count, 1)] = x[threadIdx.x]; // expect: out-of-bounds // says: Compare the place with 32 before it is used
}

__global__ void short_list(int *found, unsigned *count, const int *x) {
    if (x[threadIdx.x] <= 0) return;
    unsigned place = atomicAdd(count, 1);
    if (place < PLACES) found[place] = x[threadIdx.x]; // near: out-of-bounds
}

int main() {
    int *places = nullptr, *x = nullptr, h[N];
    unsigned *counts = nullptr;
    for (int i = 0; i < N; i++) h[i] = i % 2 ? i : i / 2;
    CHECK(cudaMalloc(&places, PLACES * sizeof(int)));
    CHECK(cudaMalloc(&x, sizeof h));
    CHECK(cudaMalloc(&counts, 4 * sizeof(unsigned)));
    CHECK(cudaMemset(places, 0, PLACES * sizeof(int)));
    CHECK(cudaMemset(counts, 0, 4 * sizeof(unsigned)));
    CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    right_ring<<<1, N>>>(places, counts);
    short_list<<<1, N>>>(places, counts + 1, x);
    ring<<<1, N>>>(places, counts + 2);
    list<<<1, N>>>(places, counts + 3, x);
    finish();
    CHECK(cudaMemcpy(h, places, PLACES * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d\n", h[0]);
    CHECK(cudaFree(places));
    CHECK(cudaFree(x));
    CHECK(cudaFree(counts));
}
