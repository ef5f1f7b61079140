#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7;
}

int main() {
    int *z = nullptr, h[32];
    CHECK(cudaMalloc(&z, sizeof h));
    CHECK(cudaMemset(z, 0, sizeof h));
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    fill<<<1, 32, 0, s>>>(z);
    CHECK(cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost)); // expect: missing-sync
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(z));
}
