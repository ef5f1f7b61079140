#include "mistake.h"

__global__ void rounds(float *out, const float *in) {
    __shared__ float s[64];
    for (int round = 0; round < 3; round++) {
        s[threadIdx.x] = in[threadIdx.x] + round; // near: shared-race
        __syncthreads();
        out[threadIdx.x] = s[63 - threadIdx.x];
        __syncthreads();
    }
}

int main() {
    float *in = device_floats(64), *out = device_floats(64);
    rounds<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
