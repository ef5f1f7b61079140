// Wrong: what is done before the kernel depends on the first number.

#include <cuda_runtime.h>

__global__ void add_kernel(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    float *d_x = NULL, *d_y = NULL, *d_z = NULL;
    size_t bytes = n * sizeof(float);
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMalloc(&d_z, bytes);
    cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice);
    if (h_x[0] > 0) cudaMemset(d_z, 0, bytes);
    add_kernel<<<(n + 255) / 256, 256>>>(d_z, d_x, d_y, n); // expect: not-by-kernel
    cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
}
// told: calls
