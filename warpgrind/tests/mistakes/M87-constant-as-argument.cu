#include "mistake.h"

__constant__ float c[4];

__global__ void use(float *out, const float *values) {
    out[threadIdx.x] = values[threadIdx.x];
}

int main() {
    float h[4] = {1, 2, 3, 4}, *out = device_floats(4);
    CHECK(cudaMemcpyToSymbol(c, h, sizeof h));
    use<<<1, 4>>>(out, c); // expect: host-device-pointer
    finish();
    CHECK(cudaFree(out));
}
