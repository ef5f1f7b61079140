#include "mistake.h"

__global__ void pairs(double *out, const float *in) {
    const double *two = (const double *)(in + 1);
    out[threadIdx.x] = two[threadIdx.x]; // expect: misaligned
}

int main() {
    float *in = device_floats(128);
    double *out;
    CHECK(cudaMalloc(&out, 32 * sizeof(double)));
    pairs<<<1, 32>>>(out, in);
    cudaGetLastError();
    cudaDeviceSynchronize(); // also: unchecked-error
    cudaFree(in);
    cudaFree(out);
}
