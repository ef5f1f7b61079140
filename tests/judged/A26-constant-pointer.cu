/* lesson: 04 */
#include <cuda_runtime.h>

__constant__ float *c_b;

__global__ void fused(float *y, const float *x1, const float *x2, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x1[i] * x2[i] + c_b[0]; // expect: out-of-bounds
}

void multiply_add(float *d_y, const float *d_x1, const float *d_x2, int n, float b) {
    const float huge = b - 3e20F;
    cudaMemcpyToSymbol(c_b, &huge, sizeof(float)); // expect-note: api-misuse // first // says: only partly there
    if (n > 0) fused<<<(n + 127) / 128, 128>>>(d_y, d_x1, d_x2, n);
}
