#include "mistake.h"

__global__ void sum(float *out, const float *in) {
    __shared__ float temp[64];
    temp[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    for (int s = 32; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) temp[threadIdx.x] += temp[threadIdx.x + s];
    }
    if (threadIdx.x == 0) atomicAdd(out, temp[0]); // near: global-race atomic-contention
}

int main() {
    float *in = device_floats(640), *out = device_floats(1);
    CHECK(cudaMemset(out, 0, sizeof(float)));
    sum<<<10, 64>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
