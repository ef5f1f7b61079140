#include "mistake.h"

__global__ void mark(float *z, int n) {
    int i = blockIdx.x * gridDim.x + threadIdx.x;
    if (i < n) z[i] = (float)threadIdx.x; // expect: global-race
}

int main() {
    float *z = device_floats(1024);
    mark<<<4, 256>>>(z, 1024);
    finish();
    CHECK(cudaFree(z));
}
