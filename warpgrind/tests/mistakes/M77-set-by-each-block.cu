#include "mistake.h"

// Each block wipes out what others have added.
__global__ void sum(float *out, const float *in) {
    if (threadIdx.x == 0) *out = 0; // expect: global-race
    __syncthreads();
    atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

// What all blocks store is not what they add to.
__global__ void sum_and_last(float *out, float *last, const float *in) {
    if (threadIdx.x == 0) *last = in[blockIdx.x]; // expect: global-race
    atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
    float *in = device_floats(256), *out = device_floats(1), *last = device_floats(1);
    sum<<<4, 64>>>(out, in);
    sum_and_last<<<4, 64>>>(out, last, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(last));
}
