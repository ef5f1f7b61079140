#include "mistake.h"

enum { N = 128 };

__global__ void sum(float *out, const float *in) {
    __shared__ float temp[N];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    for (int s = 1; s < N; s *= 2) {
        if (tid % (2 * s) == 0) temp[tid] += temp[tid + s]; // near: shared-race divergent-branch
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
