#include "mistake.h"

__global__ void reverse(float *z, int n) {
    __shared__ float s[64];
    int i = threadIdx.x;
    if (i >= n) return;
    s[i] = z[i];
    __syncthreads(); // near: barrier-divergence
    z[i] = s[n - 1 - i];
}

int main() {
    float *z = device_floats(40);
    reverse<<<1, 64>>>(z, 40);
    finish();
    CHECK(cudaFree(z));
}
