#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7; // expect: missing-sync
}

int main() {
    int *h = nullptr, *d = nullptr;
    CHECK(cudaHostAlloc(&h, 32 * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&d, h, 0));
    h[9] = 0;
    fill<<<1, 32>>>(d);
    CHECK(cudaGetLastError());
    int early = h[9]; // expect: missing-sync
    CHECK(cudaDeviceSynchronize());
    printf("%d %d\n", early, h[9]);
    CHECK(cudaFreeHost(h));
}
