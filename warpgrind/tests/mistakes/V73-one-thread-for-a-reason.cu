#include "mistake.h"

__global__ void sum_strided(float *out, const float *in, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    atomicAdd(out, sum);
}

__global__ void set(float *out, float value) {
    *out = value;
}

static void sum(float *out, const float *in, int n, int blocks, int threads) {
    set<<<1, 1>>>(out, 0);                        // near: low-occupancy
    sum_strided<<<blocks, threads>>>(out, in, n); // near: low-occupancy
    finish();
}

int main() {
    float *in = device_floats(4096), *out = nullptr;
    CHECK(cudaMalloc(&out, sizeof(float)));
    sum(out, in, 4096, 1, 1); /* any grid must give the sum */
    sum(out, in, 4096, 4, 64);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
