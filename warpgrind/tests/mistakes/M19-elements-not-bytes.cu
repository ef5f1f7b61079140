#include "mistake.h"

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2; // expect: out-of-bounds
}

int main() {
    const int n = 1000;
    float *z = nullptr;
    CHECK(cudaMalloc(&z, n));
    CHECK(cudaMemset(z, 0, n));
    twice<<<4, 256>>>(z, n);
    finish();
    CHECK(cudaFree(z));
}
