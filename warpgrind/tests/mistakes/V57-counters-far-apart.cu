#include "mistake.h"

__global__ void histogram(int *bins, const float *in, int n) {
    __shared__ int mine[64];
    if (threadIdx.x < 64) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[i % 64], in[i] > 0); // near: shared-race atomic-contention; neighbours use different bins
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]); // near: global-race atomic-contention
}

__global__ void largest(int *most, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, mine = i < n ? (int)in[i] : -1000;
    mine = __reduce_max_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0) atomicMax(most, mine); // near: atomic-contention; one for each warp
}

int main() {
    const int n = 20000;
    float *in = device_floats(n);
    int *bins = nullptr, lowest = -1000;
    CHECK(cudaMalloc(&bins, 65 * sizeof(int)));
    CHECK(cudaMemset(bins, 0, 65 * sizeof(int)));
    CHECK(cudaMemcpy(bins + 64, &lowest, sizeof lowest, cudaMemcpyHostToDevice));
    histogram<<<20, 256>>>(bins, in, n);
    largest<<<(n + 255) / 256, 256>>>(bins + 64, in, n);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(bins));
}
