#include "mistake.h"

__global__ void sum(float *out, const float *in, int n) {
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
    for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, mine); // near: global-race atomic-contention; a warp's sum each
}

int main() {
    float *in = device_floats(3001), *out = nullptr, h = 0;
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemset(out, 0, sizeof(float)));
    sum<<<7, 96>>>(out, in, 3001);
    finish();
    CHECK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
