// Lesson 23, another shape: the tile of A lies in shared memory with its rows and columns exchanged, and one
// number of padding.

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

enum { WIDE = 32, HIGH = 8 };

__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    __shared__ float a_tile[WIDE][WIDE + 1], b_tile[WIDE][WIDE];
    const int x = threadIdx.x;
    const int top = blockIdx.y * WIDE, left = blockIdx.x * WIDE;
    float sums[WIDE / HIGH] = {};
    for (int start = 0; start < k; start += WIDE) {
        for (int y = threadIdx.y; y < WIDE; y += HIGH) {
            a_tile[x][y] = top + y < m && start + x < k ? d_a[(size_t)(top + y) * k + start + x] : 0.0F;
            b_tile[y][x] = start + y < k && left + x < n ? d_b[(size_t)(start + y) * n + left + x] : 0.0F;
        }
        __syncthreads();
        for (int i = 0; i < WIDE; i++)
            for (int part = 0; part < WIDE / HIGH; part++)
                sums[part] += a_tile[i][threadIdx.y + part * HIGH] * b_tile[i][x];
        __syncthreads();
    }
    for (int part = 0; part < WIDE / HIGH; part++) {
        const int row = top + threadIdx.y + part * HIGH;
        if (row < m && left + x < n) d_c[(size_t)row * n + left + x] = sums[part];
    }
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    matrix_product_kernel<<<dim3((n + WIDE - 1) / WIDE, (m + WIDE - 1) / WIDE), dim3(WIDE, HIGH)>>>(
        d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
