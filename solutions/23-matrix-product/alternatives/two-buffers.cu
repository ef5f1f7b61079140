// Lesson 23, another way: two pairs of tiles take turns, so that one barrier per step is enough: the next
// tile is filled while the threads still read this one.

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
const int TILE = 16;

// Number (row, column) of a matrix of rows x columns, and 0 outside.
__device__ float number_at(const float *d_from, int row, int column, int rows, int columns) {
    return row < rows && column < columns ? d_from[(size_t)row * columns + column] : 0.0F;
}

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    __shared__ float a_tiles[2][TILE][TILE];
    __shared__ float b_tiles[2][TILE][TILE];
    const int x = (int)threadIdx.x;
    const int y = (int)threadIdx.y;
    const int column = (int)blockIdx.x * TILE + x;
    const int row = (int)blockIdx.y * TILE + y;
    float sum = 0.0F;
    int now = 0;
    for (int start = 0; start < k; start += TILE) {
        a_tiles[now][y][x] = number_at(d_a, row, start + x, m, k);
        b_tiles[now][y][x] = number_at(d_b, start + y, column, k, n);
        __syncthreads(); // this pair is complete, and everybody has left the other one
        for (int i = 0; i < TILE; i++)
            sum += a_tiles[now][y][i] * b_tiles[now][i][x];
        now = 1 - now;
    }
    if (row < m && column < n) d_c[(size_t)row * n + column] = sum;
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    const dim3 threads(TILE, TILE);
    const dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    matrix_product_kernel<<<blocks, threads>>>(d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
