#include "mistake.h"

__global__ void shift(float *out, const float *in) {
    __shared__ float s[64];
    for (int round = 0; round < 3; round++) {
        s[threadIdx.x] = in[threadIdx.x] + round; // expect: shared-race
        __syncthreads();
        out[threadIdx.x] = s[63 - threadIdx.x];
    }
}

int main() {
    float *in = device_floats(64), *out = device_floats(64);
    shift<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
