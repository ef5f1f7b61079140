// says: atomicAdd(&most[0], value) for a sum, atomicMax or atomicMin (of integers) for the largest or the smallest.
// says: combine them afterwards
#include "../../mistakes/mistake.h"

__global__ void largest(int *most, const int *x) {
    if (x[threadIdx.x] > *most) *most = x[threadIdx.x];
}

int main() {
    int h[64], *x = nullptr, *most = nullptr;
    for (int i = 0; i < 64; i++) h[i] = i;
    CHECK(cudaMalloc(&x, sizeof h));
    CHECK(cudaMalloc(&most, sizeof *most));
    CHECK(cudaMemset(most, 0, sizeof *most));
    CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    largest<<<1, 64>>>(most, x);
    finish();
    CHECK(cudaFree(x));
    CHECK(cudaFree(most));
}
