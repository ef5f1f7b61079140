#include "mistake.h"

/* All rounds of the loop share one branch: the last ones part few warps, the first ones all. */
__global__ void interleaved(float *out, const float *in) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (int s = 1; s < 256; s *= 2) {
        if (tid % (2 * s) == 0) temp[tid] += temp[tid + s]; // expect-note: divergent-branch
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = temp[0];
}

__global__ void sequential(float *out, const float *in) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (tid < s) temp[tid] += temp[tid + s]; // near: divergent-branch
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = temp[0];
}

int main() {
    float *in = device_floats(64 * 256), *out = nullptr;
    CHECK(cudaMalloc(&out, 64 * sizeof(float)));
    interleaved<<<64, 256>>>(out, in);
    sequential<<<64, 256>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
