#include <cassert>

#include "mistake.h"

__global__ void halves(int *out, int n) {
    assert(n % 2 == 0); // near: crash; it is
    if (n < 0) __trap(); // near: crash; never
    out[threadIdx.x] = n / (int)(threadIdx.x + 1);
}

__global__ void by_zero(int *out, int divisor) {
    out[threadIdx.x] = 5 / divisor; // near: crash; whole numbers by 0 do not trap on a GPU
}

int main() {
    int *out = nullptr, h[32];
    CHECK(cudaMalloc(&out, sizeof h));
    halves<<<1, 32>>>(out, 8);
    by_zero<<<1, 32>>>(out, 0);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
}
