#include "mistake.h"

__global__ void scale(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = z[i] * 1.1; // expect-note: double-precision
}

int main() {
    float *z = device_floats(16384);
    scale<<<64, 256>>>(z, 16384);
    finish();
    CHECK(cudaFree(z));
}
