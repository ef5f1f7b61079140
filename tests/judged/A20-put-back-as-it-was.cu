/* lesson: 06 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void fill_upper_kernel(float *d_a, int n, float value) {
    const size_t row = blockIdx.x;
    for (int col = threadIdx.x; col < n; col += blockDim.x) {
        const float old = d_a[row * n + col];
        d_a[row * n + col] = col >= row ? value : old; // expect: wrong-answer // first
    }
}

void fill_upper(float *d_a, int n, float value) {
    if (n == 0) return;
    fill_upper_kernel<<<n, 256>>>(d_a, n, value);
}
