#include "mistake.h"

__global__ void sum(float *out, const float *in) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (tid < d) temp[tid] += temp[tid + d]; // expect: shared-race
    }
    if (tid == 0) *out = temp[0];
}

int main() {
    float *in = device_floats(256), *out = device_floats(1);
    sum<<<1, 256>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
