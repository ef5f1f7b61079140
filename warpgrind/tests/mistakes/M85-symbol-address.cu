#include "mistake.h"

__constant__ float c[4];

__global__ void use(float *out) {
    out[threadIdx.x] = c[threadIdx.x];
}

int main() {
    float h[4] = {1, 2, 3, 4}, *out = device_floats(4);
    CHECK(cudaMemcpy(c, h, sizeof h, cudaMemcpyHostToDevice)); // expect: host-device-pointer
    use<<<1, 4>>>(out);
    finish();
    CHECK(cudaFree(out));
}
