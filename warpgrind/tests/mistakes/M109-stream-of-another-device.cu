/* warpgrind: --devices 2 */
#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0;
}

int main() {
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaSetDevice(1));
    float *z = device_floats(32);
    clear<<<1, 32, 0, s>>>(z); // expect: api-misuse
    finish();
    CHECK(cudaFree(z));
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamDestroy(s));
}
