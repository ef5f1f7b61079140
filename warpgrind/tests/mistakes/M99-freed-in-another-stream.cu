#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7;
}

int main() {
    cudaStream_t s, t;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    int *d = nullptr;
    CHECK(cudaMallocAsync((void **)&d, 32 * sizeof(int), s));
    CHECK(cudaStreamSynchronize(s));
    fill<<<1, 32, 0, t>>>(d);
    CHECK(cudaFreeAsync(d, s)); // expect: missing-sync
    finish();
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
}
