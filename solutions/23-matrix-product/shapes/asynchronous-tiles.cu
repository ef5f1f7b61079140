// Lesson 23, another shape: the next tiles are on their way by asynchronous copies while these are used.

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

enum { TILE = 16 };

__device__ void fetch(float *to, const float *from, bool exists) {
    if (exists)
        __pipeline_memcpy_async(to, from, sizeof(float));
    else
        *to = 0.0F;
}

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    __shared__ float a_tile[2][TILE][TILE], b_tile[2][TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    const int steps = (k + TILE - 1) / TILE;
    float sum = 0.0F;
    for (int step = 0; step <= steps; step++) {
        const int start = step * TILE, now = step % 2;
        if (step < steps) {
            fetch(&a_tile[now][y][x], &d_a[(size_t)row * k + start + x], row < m && start + x < k);
            fetch(&b_tile[now][y][x], &d_b[(size_t)(start + y) * n + column], start + y < k && column < n);
        }
        __pipeline_commit();
        if (step > 0)
            for (int i = 0; i < TILE; i++)
                sum += a_tile[1 - now][y][i] * b_tile[1 - now][i][x];
        __pipeline_wait_prior(0);
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
