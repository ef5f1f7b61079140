#include "mistake.h"

__device__ unsigned arrived;

__global__ void sum(float *out, volatile float *partials, const float *in, int n) {
    __shared__ float temp[128];
    __shared__ bool last;
    int tid = threadIdx.x;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) mine += in[i];
    temp[tid] = mine;
    for (int d = 64; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) {
        partials[blockIdx.x] = temp[0];
        __threadfence();
        last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && tid == 0) {
        float total = 0;
        for (unsigned b = 0; b < gridDim.x; b++) total += partials[b]; // near: global-race uninitialized-read
        *out = total;
        arrived = 0; // near: global-race; nobody else comes any more
    }
}

int main() {
    float *in = device_floats(5000), *partials = nullptr, *out = nullptr, h;
    CHECK(cudaMalloc(&partials, 8 * sizeof(float)));
    CHECK(cudaMalloc(&out, sizeof(float)));
    for (int round = 0; round < 2; round++) sum<<<8, 128>>>(out, partials, in, 5000);
    finish();
    CHECK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(partials));
    CHECK(cudaFree(out));
}
