#include "mistake.h"

__global__ void clear(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 0;
}

int main() {
    const int n = 300000, threads = 256;
    float *z = device_floats(n);
    clear<<<threads, (n + threads - 1) / threads>>>(z, n); // expect: invalid-launch
    finish();
    CHECK(cudaFree(z));
}
