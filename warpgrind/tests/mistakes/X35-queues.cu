#include "mistake.h"

__global__ void largest(int *most, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(most, i * 7 % 1000); // expect-note: atomic-contention
}

__global__ void four_bins(int *bins, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i] > 7.0f], 1); // expect-note: atomic-contention
}

__global__ void in_each_block(int *total, const float *in, int n) {
    __shared__ int above;
    if (threadIdx.x == 0) above = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&above, in[i] > 7.0f); // expect-note: atomic-contention // says: Add up within each warp first
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, above);
}

int main() {
    const int n = 16384;
    float *in = device_floats(n);
    int *counts = nullptr;
    CHECK(cudaMalloc(&counts, 8 * sizeof(int)));
    CHECK(cudaMemset(counts, 0, 8 * sizeof(int)));
    largest<<<n / 256, 256>>>(counts + 4, n);
    four_bins<<<n / 256, 256>>>(counts, in, n);
    in_each_block<<<1, 256>>>(counts + 5, in, n);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(counts));
}
