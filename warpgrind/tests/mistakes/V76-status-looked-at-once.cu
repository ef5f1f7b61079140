#include <cstdio>

#include <cuda_runtime.h>

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

int main() {
    float h[1000] = {1, 2, 3}, *z = nullptr;
    cudaMalloc(&z, sizeof h); // near-note: unchecked-error; the last line but one looks for all
    cudaMemcpy(z, h, sizeof h, cudaMemcpyHostToDevice);
    twice<<<4, 256>>>(z, 1000);
    cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(z);
    if (cudaGetLastError() != cudaSuccess) return 1;
    printf("%g\n", h[2]);
}
