#include "mistake.h"

__device__ unsigned int arrived;
__device__ float kept[32];

__global__ void partial(float *sums, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) sums[blockIdx.x] = v; // near-note: unused-result; the next kernel reads it
}

__global__ void total(float *out, const float *sums, int n) {
    float v = 0;
    for (int i = 0; i < n; i++) v += sums[i];
    if (threadIdx.x == 0) *out = v; // near-note: unused-result; copied by the device
}

__global__ void last(float *out, float *scratch) {
    scratch[threadIdx.x] = (float)threadIdx.x; // near-note: unused-result; for the kernel itself
    __syncthreads();
    out[threadIdx.x] = scratch[31 - threadIdx.x]; // near-note: unused-result; one element is copied
    if (threadIdx.x == 0 && atomicInc(&arrived, 0) == 0) kept[0] = 1; // near-note: unused-result
}

int main() {
    enum { N = 320 };
    float *x = device_floats(N), *sums = nullptr, *out = nullptr, *copy = nullptr, *scratch = nullptr, h = 0, k = 0;
    CHECK(cudaMalloc(&sums, 10 * sizeof(float)));
    CHECK(cudaMalloc(&out, 32 * sizeof(float)));
    CHECK(cudaMalloc(&copy, sizeof(float)));
    CHECK(cudaMalloc(&scratch, 32 * sizeof(float)));
    partial<<<10, 32>>>(sums, x, N);
    total<<<1, 32>>>(out, sums, 10);
    CHECK(cudaMemcpy(copy, out, sizeof(float), cudaMemcpyDeviceToDevice));
    last<<<1, 32>>>(out, scratch);
    CHECK(cudaMemcpy(&h, out + 3, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&k, kept, sizeof k));
    CHECK(cudaFree(x));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(out));
    CHECK(cudaFree(copy));
    CHECK(cudaFree(scratch));
    return h != 28.0f || k != 1.0f;
}
