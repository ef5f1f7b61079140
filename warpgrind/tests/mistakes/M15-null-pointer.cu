#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0; // expect: out-of-bounds
}

int main() {
    float *z = nullptr;
    clear<<<1, 64>>>(z);
    finish();
}
