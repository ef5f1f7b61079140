/* Slow, and right: the note that says so is no error. */
#include "mistake.h"

__global__ void count(int *total, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) atomicAdd(total, 1); // near: global-race
}

int main() {
    const int n = 20000;
    float *in = device_floats(n);
    int *total = nullptr, h = 0;
    CHECK(cudaMalloc(&total, sizeof(int)));
    CHECK(cudaMemset(total, 0, sizeof(int)));
    count<<<(n + 255) / 256, 256>>>(total, in, n);
    finish();
    CHECK(cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(total));
    return h > 0 ? 0 : 1;
}
