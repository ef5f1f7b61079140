#include "mistake.h"

__global__ void touch(float *out) {
    extern __shared__ float temp[];
    temp[threadIdx.x] = 1;
    out[threadIdx.x] = temp[threadIdx.x];
}

int main() {
    float *out = device_floats(32);
    touch<<<1, 32, 64 * 1024>>>(out); // expect: invalid-launch
    finish();
    CHECK(cudaFree(out));
}
