// Lesson 22, another shape: the tile is filled by asynchronous copies, and the rows go up in a grid of one
// dimension.

#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
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

enum { TILE = 32, ROWS = 4 };

__global__ void transpose_kernel(float *d_out, const float *__restrict__ d_in, int rows, int cols, int down) {
    __shared__ float tile[TILE][TILE + 1];
    const int left = blockIdx.x / down * TILE, top = blockIdx.x % down * TILE;
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (left + x < cols && top + y < rows)
            __pipeline_memcpy_async(&tile[y][x], &d_in[(size_t)(top + y) * cols + left + x], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (top + x < rows && left + y < cols) d_out[(size_t)(left + y) * rows + top + x] = tile[x][y];
}

void transpose(float *d_out, const float *d_in, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + TILE - 1) / TILE, down = (rows + TILE - 1) / TILE;
    transpose_kernel<<<across * down, dim3(TILE, ROWS)>>>(d_out, d_in, rows, cols, down);
    CHECK(cudaGetLastError());
}
