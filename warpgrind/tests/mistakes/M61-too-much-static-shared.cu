#include "mistake.h"

__global__ void reverse(float *z) {
    __shared__ float temp[20000];
    temp[threadIdx.x] = z[threadIdx.x];
    __syncthreads();
    z[threadIdx.x] = temp[blockDim.x - 1 - threadIdx.x];
}

int main() {
    float *z = device_floats(32);
    reverse<<<1, 32>>>(z); // expect: invalid-launch
    finish();
    CHECK(cudaFree(z));
}
