// Wrong: the host adds, and the kernel only copies the sums.

#include <cuda_runtime.h>

__global__ void copy_kernel(float *z, const float *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = sums[i];
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    for (int i = 0; i < n; i++)
        h_z[i] = h_x[i] + h_y[i];
    float *d_sums = NULL, *d_z = NULL;
    size_t bytes = n * sizeof(float);
    cudaMalloc(&d_sums, bytes);
    cudaMalloc(&d_z, bytes);
    cudaMemcpy(d_sums, h_z, bytes, cudaMemcpyHostToDevice); // expect: not-by-kernel
    copy_kernel<<<(n + 255) / 256, 256>>>(d_z, d_sums, n);
    cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_sums);
    cudaFree(d_z);
}
// told: contents
