#include "mistake.h"

__global__ void shift(float *z, int n) {
    __shared__ float s[64];
    int i = threadIdx.x;
    if (blockIdx.x == 1 && n > 10) {
        s[i] = z[i];
        __syncthreads(); // near: barrier-divergence
        z[i] = s[(i + 1) % 64];
    }
}

int main() {
    float *z = device_floats(64);
    shift<<<3, 64>>>(z, 64);
    finish();
    CHECK(cudaFree(z));
}
