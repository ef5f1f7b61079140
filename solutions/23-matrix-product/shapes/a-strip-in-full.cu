// Lesson 23, another shape: a block brings 16 whole rows of A to dynamic shared memory, and walks over B
// once.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

enum { ROWS = 16, THREADS = 128 };

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    extern __shared__ float strip[];
    const int top = blockIdx.y * ROWS, column = blockIdx.x * THREADS + threadIdx.x;
    for (int e = threadIdx.x; e < ROWS * k; e += THREADS)
        strip[e] = top + e / k < m ? d_a[(size_t)top * k + e] : 0.0F;
    __syncthreads();
    if (column >= n) return;
    float sums[ROWS] = {};
    for (int i = 0; i < k; i++) {
        const float b = d_b[(size_t)i * n + column];
        for (int r = 0; r < ROWS; r++)
            sums[r] += strip[r * k + i] * b;
    }
    for (int r = 0; r < ROWS && top + r < m; r++)
        d_c[(size_t)(top + r) * n + column] = sums[r];
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    const size_t bytes = ROWS * k * sizeof(float);
    CHECK(
        cudaFuncSetAttribute(matrix_product_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    matrix_product_kernel<<<dim3((n + THREADS - 1) / THREADS, (m + ROWS - 1) / ROWS), THREADS, bytes>>>(
        d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
