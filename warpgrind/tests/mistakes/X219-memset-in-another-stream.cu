#include "mistake.h"

__global__ void count(int *bins, const int *values) {
    atomicAdd(&bins[values[threadIdx.x] & 7], 1); // expect: missing-sync // first // also: uninitialized-read
}

__global__ void count_in_order(int *bins, const int *values) {
    atomicAdd(&bins[values[threadIdx.x] & 7], 1); // near: missing-sync
}

int main() {
    int values[64], bins[8], *d_values, *d_bins, *d_others;
    for (int i = 0; i < 64; i++)
        values[i] = i;
    cudaStream_t a, b;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaMalloc(&d_values, sizeof values));
    CHECK(cudaMalloc(&d_bins, sizeof bins));
    CHECK(cudaMalloc(&d_others, sizeof bins));
    CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK(cudaMemsetAsync(d_bins, 0, sizeof bins, a));
    count<<<1, 64, 0, b>>>(d_bins, d_values);
    finish();
    CHECK(cudaMemsetAsync(d_others, 0, sizeof bins, b));
    count_in_order<<<1, 64, 0, b>>>(d_others, d_values);
    finish();
    CHECK(cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(bins, d_others, sizeof bins, cudaMemcpyDeviceToHost));
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_bins));
    CHECK(cudaFree(d_others));
}
