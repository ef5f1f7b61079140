#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7;
}

int main() {
    int *d = nullptr, *h = nullptr;
    CHECK(cudaMalloc(&d, 128));
    CHECK(cudaMallocHost(&h, 128));
    cudaStream_t s;
    cudaEvent_t done;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&done));
    fill<<<1, 32, 0, s>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, s));
    CHECK(cudaEventRecord(done, s));
    CHECK(cudaEventSynchronize(done));
    printf("%d\n", h[3]); // near: missing-sync
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFreeHost(h));
    CHECK(cudaFree(d));
}
