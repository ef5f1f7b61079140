#include "mistake.h"

enum { N = 75 };

__global__ void sum(float *out, const float *in) {
    __shared__ float temp[N];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    for (int left = N; left > 1;) {
        int half = (left + 1) / 2;
        if (tid + half < left) temp[tid] += temp[tid + half]; // near: out-of-bounds shared-race
        left = half;
        __syncthreads();
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
