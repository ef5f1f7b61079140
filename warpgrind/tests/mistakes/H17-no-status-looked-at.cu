#include <cstdio>

#include <cuda_runtime.h>

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

static void run(float *h, int n) {
    float *z = nullptr;
    cudaMalloc(&z, n * sizeof(float)); // expect-note: unchecked-error
    cudaMemcpy(z, h, n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(z, n);
    cudaMemcpy(h, z, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(z);
}

int main() {
    float h[1000] = {1, 2, 3};
    run(h, 1000);
    printf("%g\n", h[2]);
}
