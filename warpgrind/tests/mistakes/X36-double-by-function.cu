#include "mistake.h"

__global__ void lengths(float *z, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = sqrt((double)x[i] * x[i] + 1); // expect-note: double-precision
}

__global__ void means(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = z[i] + 0.1; // expect-note: double-precision
}

int main() {
    const int n = 16384;
    float *x = device_floats(n), *z = device_floats(n);
    lengths<<<n / 256, 256>>>(z, x, n);
    means<<<n / 256, 256>>>(z, n);
    finish();
    CHECK(cudaFree(x));
    CHECK(cudaFree(z));
}
