#include "mistake.h"

__global__ void one(float *z) {
    z[threadIdx.x] = 1;
}


__global__ void three(float *out, const float *z) {
    out[threadIdx.x] = z[63 - threadIdx.x]; // near: global-race
}

int main() {
    float *z = device_floats(64), *out = device_floats(64);
    one<<<1, 64>>>(z);
    three<<<1, 64>>>(out, z);
    one<<<1, 64>>>(z);
    finish();
    CHECK(cudaFree(z));
    CHECK(cudaFree(out));
}
