#include "mistake.h"

__shared__ float temp[64];

__noinline__ __device__ float neighbour(float own) {
    temp[threadIdx.x] = own;
    __syncthreads();
    return temp[(threadIdx.x + 1) % 64];
}

__global__ void shifted(float *out, int n) {
    float own = (float)threadIdx.x;
    if ((int)threadIdx.x < n) own = neighbour(own); // expect: barrier-divergence
    temp[threadIdx.x] = own;
    __syncthreads();
    out[threadIdx.x] = temp[63 - threadIdx.x]; // also: shared-race; what the barrier would have ordered
}

int main() {
    float *out = device_floats(64);
    shifted<<<1, 64>>>(out, 40);
    finish();
    CHECK(cudaFree(out));
}
