#include "mistake.h"

enum { N = 256, BLOCKS = 40 };

__global__ void sum(float *out, const float *in) {
    __shared__ float temp[N];
    int tid = threadIdx.x;
    temp[tid] = in[blockIdx.x * N + tid];
    __syncthreads();
    for (int s = N / 2; s > 0; s /= 2) {
        if (tid < s) temp[tid] += temp[tid + s]; // near: shared-race divergent-branch bank-conflict out-of-bounds
        __syncthreads();                         // near: barrier-divergence; outside of the condition
    }
    if (tid == 0) out[blockIdx.x] = temp[0]; // near: low-occupancy
}

int main() {
    float *in = device_floats(N * BLOCKS), *out = device_floats(BLOCKS);
    sum<<<BLOCKS, N>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
