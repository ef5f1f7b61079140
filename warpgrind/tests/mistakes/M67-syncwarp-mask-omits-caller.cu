#include "mistake.h"

__global__ void half(float *out) {
    out[threadIdx.x] = 1;
    __syncwarp(0x0000ffff); // expect: invalid-mask
    out[threadIdx.x] += 1;
}

int main() {
    float *out = device_floats(32);
    half<<<1, 32>>>(out);
    finish();
    CHECK(cudaFree(out));
}
