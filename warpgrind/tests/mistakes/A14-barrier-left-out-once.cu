#include "mistake.h"

__global__ void running_sums(float *out, const float *in, int rounds, int skip) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    for (int round = 0; round < rounds; round++) {
        if (round != skip) __syncthreads();
        temp[tid] += temp[(tid + 32) % 256]; // expect: shared-race // first // says: every round
    }
    out[tid] = temp[tid];
}

int main(void) {
    float *d_in = device_floats(256), *d_out = device_floats(256);
    running_sums<<<1, 256>>>(d_out, d_in, 4, 2);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
