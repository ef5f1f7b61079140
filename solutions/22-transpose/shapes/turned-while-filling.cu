// Lesson 22, another shape: the tile is filled by columns and emptied by rows, in a block of one dimension.

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

enum { TILE = 32, THREADS = 128 };

__global__ void transpose_kernel(float *d_out, const float *d_in, int rows, int cols, int across) {
    __shared__ float tile[TILE][TILE + 1];
    const int left = blockIdx.x % across * TILE, top = blockIdx.x / across * TILE;
    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
        const int x = i % TILE, y = i / TILE;
        if (left + x < cols && top + y < rows) tile[x][y] = d_in[(size_t)(top + y) * cols + left + x];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
        const int x = i % TILE, y = i / TILE;
        if (top + x < rows && left + y < cols) d_out[(size_t)(left + y) * rows + top + x] = tile[y][x];
    }
}

void transpose(float *d_out, const float *d_in, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + TILE - 1) / TILE, down = (rows + TILE - 1) / TILE;
    transpose_kernel<<<across * down, THREADS>>>(d_out, d_in, rows, cols, across);
    CHECK(cudaGetLastError());
}
