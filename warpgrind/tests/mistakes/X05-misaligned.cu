#include "mistake.h"

__global__ void shift(float *z) {
    *(float *)((char *)z + 2) = 1; // expect: misaligned
}

int main() {
    float *z = device_floats(32);
    shift<<<1, 1>>>(z);
    finish();
    CHECK(cudaFree(z));
}
