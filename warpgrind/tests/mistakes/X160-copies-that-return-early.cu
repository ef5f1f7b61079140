/* Which synchronous calls return before their copy is done: CUDA Runtime API, API synchronization behavior. */
#include "mistake.h"

enum { N = 1024, BYTES = N * sizeof(int) };

__constant__ int scale;

__global__ void from_pageable(int *z, const int *a) {
    z[threadIdx.x] = a[threadIdx.x]; // expect: missing-sync // says: A copy from ordinary memory (malloc, new, a vector) returns when
}

__global__ void from_variable(int *z) {
    z[threadIdx.x] = scale; // expect: missing-sync // says: cudaStreamSynchronize(0) after the copy
}

__global__ void from_rows(int *z, const int *a) {
    z[threadIdx.x] = a[threadIdx.x]; // expect: missing-sync // says: A copy from ordinary memory
}

__global__ void within_device(int *z, const int *a) {
    z[threadIdx.x] = a[threadIdx.x]; // expect: missing-sync // says: A copy from device memory to device memory returns before it is done
}

__global__ void written_again(int *z) {
    z[threadIdx.x] = 5; // expect: missing-sync // says: A copy from device memory to device memory
}

int main() {
    const std::vector<int> ordinary(N, 1);
    const int two = 2;
    int *a[5], *z = nullptr;
    for (int *&each : a)
        CHECK(cudaMalloc(&each, BYTES));
    CHECK(cudaMalloc(&z, 5 * BYTES));
    CHECK(cudaMemset(a[4], 0, BYTES));
    CHECK(cudaMemcpy(a[0], ordinary.data(), BYTES, cudaMemcpyHostToDevice)); // the stream is younger than the copy
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    from_pageable<<<1, N, 0, s>>>(z, a[0]);
    CHECK(cudaMemcpyToSymbol(scale, &two, sizeof two));
    from_variable<<<1, N, 0, s>>>(z + N);
    CHECK(cudaMemcpy2D(a[1], N, ordinary.data(), N, N, sizeof(int), cudaMemcpyDefault));
    from_rows<<<1, N, 0, s>>>(z + 2 * N, a[1]);
    CHECK(cudaMemcpy(a[2], a[4], BYTES, cudaMemcpyDeviceToDevice));
    within_device<<<1, N, 0, s>>>(z + 3 * N, a[2]);
    CHECK(cudaMemcpy(a[3], a[4], BYTES, cudaMemcpyDefault));
    written_again<<<1, N, 0, s>>>(a[4]);
    finish();
    CHECK(cudaStreamDestroy(s));
    for (int *each : a)
        CHECK(cudaFree(each));
    CHECK(cudaFree(z));
}
