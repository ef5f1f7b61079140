#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0; // expect: use-after-free
}

int main() {
    float *z = device_floats(32);
    CHECK(cudaFree(z));
    clear<<<1, 32>>>(z);
    finish();
}
