/* The last block to finish adds the partial sums: a fence before the counter makes them visible. */
#include "sample.h"

enum { BLOCK = 128 };
__device__ unsigned finished = 0;

__device__ float block_sum(float value, float *temp) {
    temp[threadIdx.x] = value;
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < d) temp[threadIdx.x] += temp[threadIdx.x + d];
    }
    __syncthreads();
    return temp[0];
}

__global__ void sum(float *out, volatile float *partials, const float *in, int n) {
    __shared__ float temp[BLOCK];
    __shared__ bool is_last;
    float own = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) own += in[i];
    float block = block_sum(own, temp);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = block;
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    float rest = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += BLOCK) rest += partials[i];
    float total = block_sum(rest, temp);
    if (threadIdx.x == 0) *out = total;
}

int main() {
    const int n = 20011, blocks = 13;
    std::vector<float> in = sample_values(n);
    double want = 0;
    for (float value : in) want += value;
    float *d_in = to_device(in), *d_partials = nullptr, *d_out = nullptr;
    CHECK(cudaMalloc(&d_partials, blocks * sizeof(float)));
    CHECK(cudaMalloc(&d_out, sizeof(float)));
    for (int run = 0; run < 2; run++) sum<<<blocks, BLOCK>>>(d_out, d_partials, d_in, n);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, 1);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_partials));
    CHECK(cudaFree(d_out));
    return verdict(got, {(float)want}, 1e-2);
}
