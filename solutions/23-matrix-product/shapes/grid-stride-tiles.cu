// Lesson 23, another shape: a small grid, whose blocks take tile after tile of C.

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

enum { TILE = 16, BLOCKS = 20 };

__device__ float dot(const float *d_a, const float *d_b, int m, int n, int k, int row, int column) {
    __shared__ float a_tile[TILE][TILE + 1], b_tile[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0F;
    for (int start = 0; start < k; start += TILE) {
        __syncthreads();
        a_tile[y][x] = row < m && start + x < k ? d_a[(size_t)row * k + start + x] : 0.0F;
        b_tile[y][x] = start + y < k && column < n ? d_b[(size_t)(start + y) * n + column] : 0.0F;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
    }
    return sum;
}

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k,
                                      int tiles) {
    const int across = (n + TILE - 1) / TILE;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int row = tile / across * TILE + threadIdx.y, column = tile % across * TILE + threadIdx.x;
        const float sum = dot(d_a, d_b, m, n, k, row, column);
        if (row < m && column < n) d_c[(size_t)row * n + column] = sum;
    }
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    const int tiles = ((n + TILE - 1) / TILE) * ((m + TILE - 1) / TILE);
    const int blocks = tiles < BLOCKS ? tiles : BLOCKS;
    matrix_product_kernel<<<blocks, dim3(TILE, TILE)>>>(d_c, d_a, d_b, m, n, k, tiles);
    CHECK(cudaGetLastError());
}
