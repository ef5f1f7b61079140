#include "mistake.h"

__global__ void sum(float *out, const float *in) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *out = 0; // expect: global-race
    __syncthreads();
    atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
    float *in = device_floats(256), *out = device_floats(1);
    sum<<<4, 64>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
