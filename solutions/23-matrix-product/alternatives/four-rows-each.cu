// Lesson 23, another way: each thread keeps four elements of one column in registers, so that a number of B
// that it reads from shared memory serves four products.

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
const int TILE = 32; // a block computes TILE x TILE elements of C
const int ROWS = 4;  // elements of each thread
const int HEIGHT = TILE / ROWS;

// Brings a tile to shared memory: its upper left number is at (row, column) of a matrix of rows x columns.
__device__ void fill(float tile[TILE][TILE], const float *d_from, int row, int column, int rows,
                     int columns) {
    const int x = (int)threadIdx.x;
    for (int y = (int)threadIdx.y; y < TILE; y += HEIGHT) {
        const bool inside = row + y < rows && column + x < columns;
        tile[y][x] = inside ? d_from[(size_t)(row + y) * columns + column + x] : 0.0F;
    }
}

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = (int)threadIdx.x;
    const int y = (int)threadIdx.y;
    const int left = (int)blockIdx.x * TILE;
    const int top = (int)blockIdx.y * TILE;
    float sums[ROWS] = {0.0F, 0.0F, 0.0F, 0.0F};
    for (int start = 0; start < k; start += TILE) {
        fill(a_tile, d_a, top, start, m, k);
        fill(b_tile, d_b, start, left, k, n);
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            const float b = b_tile[i][x];
            for (int r = 0; r < ROWS; r++)
                sums[r] += a_tile[y + r * HEIGHT][i] * b;
        }
        __syncthreads();
    }
    for (int r = 0; r < ROWS; r++) {
        const int row = top + y + r * HEIGHT;
        if (row < m && left + x < n) d_c[(size_t)row * n + left + x] = sums[r];
    }
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    const dim3 threads(TILE, HEIGHT);
    const dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    matrix_product_kernel<<<blocks, threads>>>(d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
