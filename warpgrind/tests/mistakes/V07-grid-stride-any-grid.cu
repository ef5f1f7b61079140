#include "mistake.h"

__global__ void twice(float *z, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) z[i] *= 2; // near: out-of-bounds global-race
}

int main() {
    float *z = device_floats(1000);
    twice<<<3, 37>>>(z, 1000);
    twice<<<100, 96>>>(z, 1000);
    finish();
    CHECK(cudaFree(z));
}
