#include "mistake.h"

__global__ void two(float *out) {
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        __syncthreads(); // expect: barrier-divergence
    } else {
        out[threadIdx.x] = 2;
        __syncthreads(); // expect: barrier-divergence
    }
}

int main() {
    float *out = device_floats(64);
    two<<<1, 64>>>(out);
    finish();
    CHECK(cudaFree(out));
}
