// Lesson 22, another shape: a block walks along a strip of 32 rows, tile after tile.

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

enum { TILE = 32, ROWS = 16 };

__device__ void load(float (*tile)[TILE + 1], const float *d_in, int rows, int cols, int top, int left) {
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (left + x < cols && top + y < rows) tile[y][x] = d_in[(size_t)(top + y) * cols + left + x];
}

__device__ void store(float *d_out, float (*tile)[TILE + 1], int rows, int cols, int top, int left) {
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (top + x < rows && left + y < cols) d_out[(size_t)(left + y) * rows + top + x] = tile[x][y];
}

__global__ void transpose_kernel(float *d_out, const float *d_in, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    for (int left = 0; left < cols; left += TILE) {
        load(tile, d_in, rows, cols, blockIdx.x * TILE, left);
        __syncthreads();
        store(d_out, tile, rows, cols, blockIdx.x * TILE, left);
        __syncthreads();
    }
}

void transpose(float *d_out, const float *d_in, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    transpose_kernel<<<(rows + TILE - 1) / TILE, dim3(TILE, ROWS)>>>(d_out, d_in, rows, cols);
    CHECK(cudaGetLastError());
}
