#include "mistake.h"

__global__ void wild(float *z) {
    z[1000000000] = 0; // expect: out-of-bounds
}

int main() {
    float *z = device_floats(16);
    wild<<<1, 1>>>(z);
    CHECK(cudaGetLastError());
    float h[16];
    CHECK(cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(z));
}
