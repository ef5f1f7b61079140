#include "mistake.h"

enum { N = 256 };

__global__ void sum(float *out, const float *in) {
    __shared__ float temp[N];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    for (int s = N / 2; s >= 32; s /= 2) {
        if (tid < s) temp[tid] += temp[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        float value = temp[tid]; // near: shared-race
        for (int s = 16; s > 0; s /= 2) value += __shfl_down_sync(0xffffffffu, value, s); // near: invalid-mask
        if (tid == 0) *out = value;
    }
}

int main() {
    float *in = device_floats(N), *out = device_floats(1);
    sum<<<1, N>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
