#include "mistake.h"

__global__ void twice(float *z, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) z[i] *= 2.0f; // expect: global-race
}

int main() {
    float *z = device_floats(1024);
    twice<<<4, 64>>>(z, 1024);
    finish();
    CHECK(cudaFree(z));
}
