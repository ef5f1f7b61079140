#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7; // expect: missing-sync
}

int main() {
    int *both = nullptr;
    CHECK(cudaMallocManaged(&both, 32 * sizeof(int)));
    for (int i = 0; i < 32; i++)
        both[i] = i;
    fill<<<1, 32>>>(both);
    CHECK(cudaGetLastError());
    printf("%d\n", both[3]); // expect: missing-sync
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(both));
}
