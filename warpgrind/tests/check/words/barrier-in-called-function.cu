// says: reach the __syncthreads() at line 4, called at line 9 (32 of 64 threads reach it): some skip it at line 9
#include "../../mistakes/mistake.h"
__device__ __noinline__ void sync_all() {
    __syncthreads();
}
__global__ void k(float *y) {
    __shared__ float t[64];
    t[threadIdx.x] = y[threadIdx.x];
    if (threadIdx.x < 32) sync_all();
    y[threadIdx.x] = t[63 - threadIdx.x];
}
int main() {
    float *y = device_floats(64);
    k<<<1, 64>>>(y);
    finish();
    CHECK(cudaFree(y));
}
