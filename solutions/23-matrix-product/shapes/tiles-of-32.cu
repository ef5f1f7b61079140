// Lesson 23, another shape: tiles of 32 x 32, by blocks of 1,024 threads.

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

enum { TILE = 32 };

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0.0F;
    for (int start = 0; start < k; start += TILE) {
        a_tile[y][x] = row < m && start + x < k ? d_a[(size_t)row * k + start + x] : 0.0F;
        b_tile[y][x] = start + y < k && column < n ? d_b[(size_t)(start + y) * n + column] : 0.0F;
        __syncthreads();
        for (int i = 0; i < TILE && start + i < k; i++)
            sum = fmaf(a_tile[y][i], b_tile[i][x], sum);
        __syncthreads();
    }
    if (row < m && column < n) d_c[(size_t)row * n + column] = sum;
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    matrix_product_kernel<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(
        d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
