#include <cassert>

#include "mistake.h"

__global__ void halves(int *out, int n) {
    assert(n % 2 == 0);  // near: crash; it is
    if (n < 0) __trap(); // near: crash; never
    out[threadIdx.x] = n / (int)(threadIdx.x + 1);
}

int main() {
    int *out = nullptr, h[32];
    CHECK(cudaMalloc(&out, sizeof h));
    halves<<<1, 32>>>(out, 8);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
}
