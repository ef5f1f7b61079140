#include "mistake.h"

enum { BINS = 16 };

// A value of exactly 1 is of bin 16, and that 64 threads work has nothing to do with it.
__global__ void count(int *out, const float *values, int n) {
    __shared__ int bins[BINS];
    if (threadIdx.x < BINS) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int bin = (int)(values[i] * BINS);
        atomicAdd(&bins[bin], 1); // expect: out-of-bounds // says: made from a value
    }
    __syncthreads();
    if (threadIdx.x < BINS) out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void count_all(int *out, const float *values, int n) {
    __shared__ int bins[BINS];
    if (threadIdx.x < BINS) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[min((int)(values[i] * BINS), BINS - 1)], 1); // near: out-of-bounds
    __syncthreads();
    if (threadIdx.x < BINS) out[threadIdx.x] = bins[threadIdx.x];
}

int main() {
    const int n = 101;
    float values[n], *d_values;
    int bins[BINS], *d_bins;
    for (int i = 0; i < n; i++)
        values[i] = (float)i / (n - 1);
    CHECK(cudaMalloc(&d_values, sizeof values));
    CHECK(cudaMalloc(&d_bins, sizeof bins));
    CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
    count<<<1, 64>>>(d_bins, d_values, n);
    finish();
    count_all<<<1, 64>>>(d_bins, d_values, n);
    finish();
    CHECK(cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_bins));
}
