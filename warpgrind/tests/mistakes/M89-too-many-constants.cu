#include "mistake.h"

__constant__ float table[20000];

__global__ void look_up(float *z) {
    z[threadIdx.x] = table[threadIdx.x];
}

int main() {
    float *z = device_floats(32);
    look_up<<<1, 32>>>(z); // expect: limit
    finish();
    CHECK(cudaFree(z));
}
