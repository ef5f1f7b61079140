#include "mistake.h"

__global__ void check_sign(const int *values) {
    if (values[threadIdx.x] < 0) __trap(); // expect: crash
}

int main() {
    int *d = nullptr;
    CHECK(cudaMalloc(&d, 32 * sizeof(int)));
    CHECK(cudaMemset(d, 0xff, 32 * sizeof(int)));
    check_sign<<<1, 32>>>(d);
    if (cudaDeviceSynchronize() == cudaSuccess) return 1;
    return 0;
}
