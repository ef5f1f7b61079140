#include "mistake.h"

__global__ void histogram(float *out, const float *in, int n) {
    __shared__ float weights[64];
    __shared__ unsigned long long count[64];
    int t = threadIdx.x;
    weights[t] = 0;
    count[t] = 0;
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) {
        int bin = (i * 7) % 64;
        atomicAdd(&weights[bin], in[i]); // expect-note: atomic-contention
        atomicAdd(&count[bin], 1ull);    // expect-note: atomic-contention
    }
    __syncthreads();
    out[blockIdx.x * 64 + t] = weights[t] / count[t];
}

int main() {
    float *in = device_floats(4096), *out = nullptr;
    CHECK(cudaMalloc(&out, 256 * sizeof(float)));
    histogram<<<4, 64>>>(out, in, 4096);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
