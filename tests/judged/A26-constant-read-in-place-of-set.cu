/* lesson: 04 */
#include <cuda_runtime.h>

__constant__ float c_b;

__global__ void fused(float *y, const float *x1, const float *x2, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x1[i] * x2[i] + c_b;
}

void multiply_add(float *d_y, const float *d_x1, const float *d_x2, int n, float b) {
    cudaMemcpyFromSymbol(&b, c_b, sizeof(float)); // expect: wrong-answer // first // says: This copies the other way
    if (n > 0) fused<<<(n + 127) / 128, 128>>>(d_y, d_x1, d_x2, n);
}
