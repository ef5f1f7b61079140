#include <cuda_runtime.h>
__global__ void put(int *out) {
    *out = 7;
}
int lib_answer() {
    int *d, h = 0;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess) return -1;
    put<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return h;
}
