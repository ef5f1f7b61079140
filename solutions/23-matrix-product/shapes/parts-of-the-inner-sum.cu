// Lesson 23, another shape: several blocks share an element's sum: each takes a part of k, and adds it
// atomically.

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

enum { TILE = 16, PART = 64 };

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    const int first = blockIdx.z * PART, end = min(first + PART, k);
    float sum = 0.0F;
    for (int start = first; start < end; start += TILE) {
        a_tile[y][x] = row < m && start + x < end ? d_a[(size_t)row * k + start + x] : 0.0F;
        b_tile[y][x] = start + y < end && column < n ? d_b[(size_t)(start + y) * n + column] : 0.0F;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && column < n) atomicAdd(&d_c[(size_t)row * n + column], sum);
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    CHECK(cudaMemset(d_c, 0, (size_t)m * n * sizeof(float)));
    if (k == 0) return;
    const dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE, (k + PART - 1) / PART);
    matrix_product_kernel<<<blocks, dim3(TILE, TILE)>>>(d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
