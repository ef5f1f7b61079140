#include "mistake.h"

__global__ void largest(int *most, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(most, i * 7 % 1000); // expect-note: atomic-contention
}

__global__ void four_bins(int *bins, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i] > 7.0f], 1); // expect-note: atomic-contention
}

int main() {
    const int n = 16384;
    float *in = device_floats(n);
    int *counts = nullptr;
    CHECK(cudaMalloc(&counts, 8 * sizeof(int)));
    CHECK(cudaMemset(counts, 0, 8 * sizeof(int)));
    largest<<<n / 256, 256>>>(counts + 4, n);
    four_bins<<<n / 256, 256>>>(counts, in, n);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(counts));
}
