#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0;
}

int main() {
    float *z = device_floats(4096);
    clear<<<1, dim3(64, 64)>>>(z); // expect: invalid-launch
    finish();
    CHECK(cudaFree(z));
}
