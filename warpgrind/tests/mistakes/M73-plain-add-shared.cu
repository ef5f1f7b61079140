#include "mistake.h"

__global__ void count(int *total) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    sum += 1; // expect: shared-race
    __syncthreads();
    if (threadIdx.x == 0) *total = sum;
}

int main() {
    int *total = nullptr;
    CHECK(cudaMalloc(&total, sizeof(int)));
    count<<<1, 256>>>(total);
    finish();
    CHECK(cudaFree(total));
}
