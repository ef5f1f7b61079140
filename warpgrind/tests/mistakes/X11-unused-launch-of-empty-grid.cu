#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0;
}

int main() {
    float *z = device_floats(32);
    int n = 0;
    clear<<<(n + 31) / 32, 32>>>(z); // expect: invalid-launch
    finish();
    CHECK(cudaFree(z));
}
