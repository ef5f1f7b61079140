// Lesson 22, another shape: a block of 32 x 32 threads moves one element each.

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

__global__ void transpose_kernel(float *d_out, const float *d_in, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    const int x = threadIdx.x, y = threadIdx.y;
    if (left + x < cols && top + y < rows) tile[y][x] = d_in[(size_t)(top + y) * cols + left + x];
    __syncthreads();
    if (top + x < rows && left + y < cols) d_out[(size_t)(left + y) * rows + top + x] = tile[x][y];
}

void transpose(float *d_out, const float *d_in, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 blocks((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE), threads(TILE, TILE);
    transpose_kernel<<<blocks, threads>>>(d_out, d_in, rows, cols);
    CHECK(cudaGetLastError());
}
