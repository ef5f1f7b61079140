#include "mistake.h"

__global__ void count(int *bins, const int *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) bins[values[i]] += 1; // expect: global-race // says: atomicAdd(&
}

__global__ void add_columns(float *sums, const float *a) {
    sums[threadIdx.x] += a[blockIdx.x * blockDim.x + threadIdx.x]; // expect: global-race // says: atomicAdd(&
}

int main(void) {
    int *d_values, *d_bins, values[1000];
    for (int i = 0; i < 1000; i++)
        values[i] = 7 * i % 16;
    CHECK(cudaMalloc(&d_values, sizeof values));
    CHECK(cudaMalloc(&d_bins, 16 * sizeof(int)));
    CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_bins, 0, 16 * sizeof(int)));
    count<<<4, 256>>>(d_bins, d_values, 1000);
    finish();
    float *d_a = device_floats(1024), *d_sums = device_floats(256);
    add_columns<<<4, 256>>>(d_sums, d_a);
    finish();
    cudaFree(d_values);
    cudaFree(d_bins);
    cudaFree(d_a);
    cudaFree(d_sums);
    return 0;
}
