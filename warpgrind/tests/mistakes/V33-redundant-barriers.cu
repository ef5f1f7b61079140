#include "mistake.h"

enum { N = 64 };

__global__ void sum(float *out, const float *in) {
    __shared__ float temp[N];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads(); // near: barrier-divergence
    __threadfence_block();
    __syncthreads();
    for (int s = N / 2; s > 0; s /= 2) {
        __syncthreads();
        if (tid < s) temp[tid] += temp[tid + s];
        __syncthreads();
        __threadfence();
    }
    if (tid == 0) *out = temp[0];
}

int main() {
    float *in = device_floats(N), *out = device_floats(1);
    sum<<<1, N>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
