#include "mistake.h"

__global__ void wait(int *flag) {
    while (atomicAdd(flag, 0) == 0) { // expect: hang
    }
}

int main() {
    int *flag;
    CHECK(cudaMalloc(&flag, sizeof(int)));
    CHECK(cudaMemset(flag, 0, sizeof(int)));
    wait<<<1, 1>>>(flag);
    cudaGetLastError();
    cudaDeviceSynchronize(); // also: unchecked-error
    cudaFree(flag);
}
