#include "mistake.h"

__global__ void sum(float *out, const float *in) {
    __shared__ float temp[64];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) *out = temp[0];
}

int main() {
    std::vector<float> h(64);
    float *in = nullptr, *out = nullptr, got = 0, wanted = 0;
    for (int i = 0; i < 64; i++) wanted += h[i] = 1.0f / (float)(1 + i);
    CHECK(cudaMalloc(&in, 64 * sizeof(float)));
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemcpy(in, h.data(), 64 * sizeof(float), cudaMemcpyHostToDevice));
    sum<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    if (got != wanted) printf("FAILED\n"); // warns: comparing floating point
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
