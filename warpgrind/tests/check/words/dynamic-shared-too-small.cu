// says: t, which has no elements (shared array of 0 elements); the launch gives only 3 bytes
#include "../../mistakes/mistake.h"
__global__ void k(float *y) {
    extern __shared__ float t[];
    t[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = t[63 - threadIdx.x];
}
int main() {
    float *y = device_floats(64);
    k<<<1, 64, 3>>>(y);
    finish();
    CHECK(cudaFree(y));
}
