#include "mistake.h"

__global__ void half(float *out) {
    __shared__ float temp[64];
    temp[threadIdx.x] = 1.0f;
    if (threadIdx.x < 32) {
        __syncthreads(); // expect: barrier-divergence
    }
    out[threadIdx.x] = temp[threadIdx.x];
}

int main() {
    float *out = device_floats(64);
    half<<<1, 64>>>(out);
    finish();
    CHECK(cudaFree(out));
}
