#include "mistake.h"

__constant__ int scale;

__global__ void fill(int *z) {
    z[threadIdx.x] = scale; // expect: missing-sync
}

int main() {
    int *z = nullptr;
    const int two = 2;
    CHECK(cudaMalloc(&z, 32 * sizeof(int)));
    cudaStream_t s, t;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(cudaMemcpyToSymbolAsync(scale, &two, sizeof two, 0, cudaMemcpyHostToDevice, s));
    fill<<<1, 32, 0, t>>>(z);
    finish();
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    CHECK(cudaFree(z));
}
