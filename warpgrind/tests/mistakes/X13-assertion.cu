#include <cassert>

#include "mistake.h"

__global__ void halves(int *out, int n) {
    assert(n % 2 == 0); // expect: crash
    out[threadIdx.x] = n / 2;
}

int main() {
    int *out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    halves<<<1, 32>>>(out, 7);
    cudaGetLastError();
    cudaDeviceSynchronize(); // also: unchecked-error
    cudaFree(out);
}
