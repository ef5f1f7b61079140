#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0;
}

int main() {
    float *z = device_floats(64);
    if (cudaFuncSetAttribute(clear, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024) != cudaSuccess) return 1;
    clear<<<1, 64, 96 * 1024>>>(z); // near: unchecked-error invalid-launch
    finish();
    CHECK(cudaFree(z));
}
