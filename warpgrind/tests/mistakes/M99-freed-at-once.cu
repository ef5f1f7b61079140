#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = 7;
}

int main() {
    int *d = nullptr;
    CHECK(cudaMallocAsync((void **)&d, 32 * sizeof(int), 0));
    fill<<<1, 32>>>(d);
    CHECK(cudaFree(d)); // expect: missing-sync
    finish();
}
