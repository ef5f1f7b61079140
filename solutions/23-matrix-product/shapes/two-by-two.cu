// Lesson 23, another shape: a block of 16 x 16 threads has a tile of 32 x 32, and a thread 2 x 2 elements of
// it.

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

enum { HALF = 16, SIDE = 32 };

__device__ float element(const float *d_matrix, int rows, int columns, int row, int column) {
    return row < rows && column < columns ? d_matrix[(size_t)row * columns + column] : 0.0F;
}

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    __shared__ float a_tile[SIDE][HALF];
    __shared__ float b_tile[HALF][SIDE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
    float sums[2][2] = {};
    for (int start = 0; start < k; start += HALF) {
        a_tile[y][x] = element(d_a, m, k, row, start + x);
        a_tile[y + HALF][x] = element(d_a, m, k, row + HALF, start + x);
        b_tile[y][x] = element(d_b, k, n, start + y, column);
        b_tile[y][x + HALF] = element(d_b, k, n, start + y, column + HALF);
        __syncthreads();
        for (int i = 0; i < HALF; i++)
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 2; c++)
                    sums[r][c] += a_tile[y + HALF * r][i] * b_tile[i][x + HALF * c];
        __syncthreads();
    }
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++)
            if (row + HALF * r < m && column + HALF * c < n)
                d_c[(size_t)(row + HALF * r) * n + column + HALF * c] = sums[r][c];
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    matrix_product_kernel<<<dim3((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE), dim3(HALF, HALF)>>>(
        d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
