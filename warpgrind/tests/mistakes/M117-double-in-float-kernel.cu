#include "mistake.h"

__global__ void scale(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = z[i] * 1.1; // expect-note: double-precision
}

/* A double that all threads get is no number of theirs. */
__global__ void scale_by(float *z, int n, double factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = z[i] * factor; // expect-note: double-precision
}

int main() {
    float *z = device_floats(16384);
    scale<<<64, 256>>>(z, 16384);
    scale_by<<<64, 256>>>(z, 16384, 0.3);
    finish();
    CHECK(cudaFree(z));
}
