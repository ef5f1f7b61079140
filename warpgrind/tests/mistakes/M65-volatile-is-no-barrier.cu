#include "mistake.h"

__global__ void sum(float *out, const float *in) {
    __shared__ volatile float temp[64];
    int tid = threadIdx.x;
    temp[tid] = in[tid] + in[tid + 32];
    if (tid < 16) temp[tid] += temp[tid + 16]; // expect: shared-race
    if (tid < 8) temp[tid] += temp[tid + 8];
    if (tid == 0) *out = temp[0];
}

int main() {
    float *in = device_floats(64), *out = device_floats(1);
    sum<<<1, 32>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
