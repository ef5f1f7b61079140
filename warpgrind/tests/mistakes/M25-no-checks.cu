#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0;
}

int main() {
    float *z = nullptr;
    cudaMalloc(&z, 8192 * sizeof(float));
    clear<<<1, 2048>>>(z); // expect: unchecked-error invalid-launch
    cudaDeviceSynchronize();
    cudaFree(z);
}
