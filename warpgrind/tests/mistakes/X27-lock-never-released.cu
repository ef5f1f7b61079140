#include "mistake.h"

__device__ int lock_word;

__global__ void both(int *z) {
    if (threadIdx.x % 32) return;
    while (atomicCAS(&lock_word, 0, 1) != 0) { // expect: hang // says: whoever took it has ended
    }
    *z += 1;
}

int main() {
    int *z = nullptr;
    CHECK(cudaMalloc(&z, sizeof(int)));
    CHECK(cudaMemset(z, 0, sizeof(int)));
    both<<<1, 64>>>(z);
    if (cudaDeviceSynchronize() == cudaSuccess) return 1;
}
