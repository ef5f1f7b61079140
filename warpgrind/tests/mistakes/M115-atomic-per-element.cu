#include "mistake.h"

__global__ void count(int *total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, i & 3); // expect-note: atomic-contention
}

int main() {
    int *total = nullptr;
    CHECK(cudaMalloc(&total, sizeof(int)));
    CHECK(cudaMemset(total, 0, sizeof(int)));
    count<<<64, 256>>>(total, 64 * 256);
    finish();
    CHECK(cudaFree(total));
}
