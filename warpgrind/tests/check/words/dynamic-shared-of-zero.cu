// says: the launch gives 0 bytes: its third argument is 0 or missing
#include "../../mistakes/mistake.h"
__global__ void k(float *y) {
    extern __shared__ float t[];
    t[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = t[63 - threadIdx.x];
}
int main() {
    float *y = device_floats(64);
    k<<<1, 64, 0>>>(y);
    finish();
    CHECK(cudaFree(y));
}
