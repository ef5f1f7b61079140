#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7;
}

int main() {
    int *d = nullptr, *h = nullptr;
    CHECK(cudaMalloc(&d, 32 * sizeof(int)));
    CHECK(cudaMallocHost(&h, 32 * sizeof(int)));
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    h[0] = 1;
    fill<<<1, 32, 0, s>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost, s)); // expect: missing-sync
    printf("%d\n", h[0]);
    CHECK(cudaFreeHost(h));
    CHECK(cudaFree(d));
}
