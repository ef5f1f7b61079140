#include "mistake.h"

__global__ void add(float *z, const float *x, int n) {
    int i = threadIdx.x;
    if (i < n && x[i] > 0) z[i] = 1; // expect: uninitialized-read
}

int main() {
    float *x = nullptr, *z = device_floats(64);
    CHECK(cudaMalloc(&x, 64 * sizeof(float)));
    add<<<1, 64>>>(z, x, 64);
    finish();
    CHECK(cudaFree(x));
    CHECK(cudaFree(z));
}
