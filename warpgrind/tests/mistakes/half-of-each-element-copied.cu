#include "mistake.h"

#include <cuda_pipeline.h>

// Four of eight bytes: each .y has no value.
__global__ void halves(float *out, const float2 *in) {
    __shared__ float2 tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x].x + tile[63 - threadIdx.x].y; // expect: uninitialized-read // says: Only 4 of this element's 8 bytes
}

// No byte of it: the same as ever.
__global__ void nothing(float *out, int from) {
    __shared__ float2 tile[64];
    if (threadIdx.x >= from) tile[threadIdx.x] = {0.0f, 0.0f};
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x].y; // expect: uninitialized-read // says: No thread had stored anything
}

int main() {
    float2 *in;
    float host[64];
    float *out = device_floats(64);
    CHECK(cudaMalloc(&in, 64 * sizeof(float2)));
    CHECK(cudaMemset(in, 0, 64 * sizeof(float2)));
    halves<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    nothing<<<1, 64>>>(out, 64);
    finish();
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
