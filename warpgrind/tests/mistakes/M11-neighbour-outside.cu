#include "mistake.h"

__global__ void difference(float *z, const float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a[i] - a[i - 1]; // expect: out-of-bounds
}

int main() {
    float *a = device_floats(256), *z = device_floats(256);
    difference<<<1, 256>>>(z, a, 256);
    finish();
    CHECK(cudaFree(a));
    CHECK(cudaFree(z));
}
