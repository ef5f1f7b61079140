// Lesson 23, another shape: each thread computes 4 x 4 elements of C, which stay in its registers.

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

enum { SIDE = 32, DEEP = 8, EACH = 4, THREADS = 64 };

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    __shared__ float a_tile[DEEP][SIDE + 1];
    __shared__ float b_tile[DEEP][SIDE];
    const int x = threadIdx.x % 8, y = threadIdx.x / 8;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float sums[EACH][EACH] = {};
    for (int start = 0; start < k; start += DEEP) {
        for (int e = threadIdx.x; e < SIDE * DEEP; e += THREADS) {
            const int row = e / DEEP, i = e % DEEP, ib = e / SIDE, column = e % SIDE;
            a_tile[i][row] = top + row < m && start + i < k ? d_a[(size_t)(top + row) * k + start + i] : 0.0F;
            b_tile[ib][column] =
                start + ib < k && left + column < n ? d_b[(size_t)(start + ib) * n + left + column] : 0.0F;
        }
        __syncthreads();
        for (int i = 0; i < DEEP; i++)
            for (int r = 0; r < EACH; r++)
                for (int c = 0; c < EACH; c++)
                    sums[r][c] += a_tile[i][y + 8 * r] * b_tile[i][x + 8 * c];
        __syncthreads();
    }
    for (int r = 0; r < EACH; r++)
        for (int c = 0; c < EACH; c++)
            if (top + y + 8 * r < m && left + x + 8 * c < n)
                d_c[(size_t)(top + y + 8 * r) * n + left + x + 8 * c] = sums[r][c];
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    matrix_product_kernel<<<dim3((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE), THREADS>>>(d_c, d_a, d_b, m,
                                                                                           n, k);
    CHECK(cudaGetLastError());
}
