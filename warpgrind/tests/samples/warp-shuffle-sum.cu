/* Sum with shuffles inside warps, one slot a warp in shared memory, one atomic a block. */
#include "sample.h"

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void sum(float *out, const float *in, int n) {
    __shared__ float sums[32];
    float own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += in[i];
    own = warp_sum(own);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x < 32) {
        own = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0.0f;
        own = warp_sum(own);
        if (threadIdx.x == 0) atomicAdd(out, own);
    }
}

int main() {
    const int n = 30011;
    std::vector<float> in = sample_values(n);
    double want = 0;
    for (float value : in) want += value;
    float *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, sizeof(float)));
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    sum<<<9, 160>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, 1);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, {(float)want}, 1e-2);
}
