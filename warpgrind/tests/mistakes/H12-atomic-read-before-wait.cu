#include "mistake.h"

__global__ void count(int *total, int *most) {
    atomicAdd(total, 1);              // expect: missing-sync
    atomicMax(most, (int)threadIdx.x); // expect: missing-sync
}

__global__ void count_system(int *total) {
    atomicAdd_system(total, 1);
}

int main() {
    int *both = nullptr, *mapped = nullptr, *d = nullptr;
    CHECK(cudaMallocManaged(&both, sizeof(int)));
    CHECK(cudaHostAlloc(&mapped, sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&d, mapped, 0));
    *both = *mapped = 0;
    count<<<2, 64>>>(both, d);
    CHECK(cudaGetLastError());
    int early = *both; // expect: missing-sync
    early += *mapped;  // expect: missing-sync
    CHECK(cudaDeviceSynchronize());
    printf("%d %d\n", early, *both + *mapped);
    count_system<<<1, 32>>>(both);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(both));
    CHECK(cudaFreeHost(mapped));
}
