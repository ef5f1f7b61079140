#include "mistake.h"

__global__ void histogram(float *out, int *bins, const float *in, int n) {
    __shared__ int count[64];
    __shared__ float total;
    int t = threadIdx.x;
    count[t] = 0;
    if (t == 0) total = 0;
    __syncthreads();
    float own = 0;
    for (int i = t; i < n; i += blockDim.x) {
        atomicAdd(&count[(i * 7) % 64], 1); // near: atomic-contention
        own += in[i];
    }
    if (t % 32 == 0) atomicAdd(&total, own); // near: atomic-contention
    __syncthreads();
    atomicAdd(&bins[t], count[t]); // near: atomic-contention
    if (t == 0) out[blockIdx.x] = total;
}

int main() {
    float *in = device_floats(4096), *out = nullptr;
    int *bins = nullptr;
    CHECK(cudaMalloc(&out, 4 * sizeof(float)));
    CHECK(cudaMalloc(&bins, 64 * sizeof(int)));
    CHECK(cudaMemset(bins, 0, 64 * sizeof(int)));
    histogram<<<4, 64>>>(out, bins, in, 4096);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(bins));
}
