#include "mistake.h"

__global__ void add(float *z, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[i] = x[i] + 1.0f; // expect: out-of-bounds
}

int main() {
    float *x = device_floats(1000), *z = device_floats(1000);
    add<<<4, 256>>>(z, x, 1000);
    finish();
    CHECK(cudaFree(x));
    CHECK(cudaFree(z));
}
