#include "mistake.h"

__constant__ float factors[4];

__global__ void scale(float *z) {
    z[threadIdx.x] *= factors[threadIdx.x % 4];
}

int main() {
    float factors[4] = {1, 2, 3, 4}, *z = device_floats(32);
    CHECK(cudaMemcpyToSymbol(factors, factors, sizeof factors)); // expect: api-misuse
    scale<<<1, 32>>>(z);
    finish();
    CHECK(cudaFree(z));
}
