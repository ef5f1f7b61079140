// Lesson 22, another shape: no padding: the place in a row of the tile is mixed with the row.

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

enum { TILE = 32, ROWS = 8 };

__global__ void transpose_kernel(float *d_out, const float *d_in, int rows, int cols) {
    __shared__ float tile[TILE * TILE];
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (left + x < cols && top + y < rows)
            tile[y * TILE + (x ^ y)] = d_in[(size_t)(top + y) * cols + left + x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += ROWS)
        if (top + x < rows && left + y < cols)
            d_out[(size_t)(left + y) * rows + top + x] = tile[x * TILE + (x ^ y)];
}

void transpose(float *d_out, const float *d_in, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    transpose_kernel<<<dim3((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE), dim3(TILE, ROWS)>>>(
        d_out, d_in, rows, cols);
    CHECK(cudaGetLastError());
}
