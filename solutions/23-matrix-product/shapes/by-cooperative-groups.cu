// Lesson 23, another shape: a block of one dimension, whose group waits and counts its threads.

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
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

namespace cg = cooperative_groups;
enum { TILE = 16 };

struct Matrix {
    const float *d_values;
    int rows, columns;
};

__device__ void fill(const cg::thread_block &block, float (*tile)[TILE], Matrix matrix, int top, int left) {
    const int y = (int)block.thread_rank() / TILE, x = (int)block.thread_rank() % TILE;
    const bool exists = top + y < matrix.rows && left + x < matrix.columns;
    tile[y][x] = exists ? matrix.d_values[(size_t)(top + y) * matrix.columns + left + x] : 0.0F;
}

__global__ void matrix_product_kernel(float *d_c, Matrix a, Matrix b) {
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const cg::thread_block block = cg::this_thread_block();
    const int y = (int)block.thread_rank() / TILE, x = (int)block.thread_rank() % TILE;
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float sum = 0.0F;
    for (int start = 0; start < a.columns; start += TILE) {
        fill(block, a_tile, a, top, start);
        fill(block, b_tile, b, start, left);
        block.sync();
        for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        block.sync();
    }
    if (top + y < a.rows && left + x < b.columns) d_c[(size_t)(top + y) * b.columns + left + x] = sum;
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    matrix_product_kernel<<<blocks, TILE * TILE>>>(d_c, Matrix{d_a, m, k}, Matrix{d_b, k, n});
    CHECK(cudaGetLastError());
}
