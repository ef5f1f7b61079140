/* warpgrind: --devices 2 */
#include "mistake.h"

__global__ void copy(float *out, const float *in) {
    out[threadIdx.x] = in[threadIdx.x]; // expect: api-misuse
}

int main() {
    float *there = device_floats(32);
    CHECK(cudaSetDevice(1));
    float *here = device_floats(32);
    copy<<<1, 32>>>(here, there);
    cudaGetLastError();
    cudaDeviceSynchronize();
    cudaFree(here);
    CHECK(cudaSetDevice(0));
    CHECK(cudaFree(there));
}
