// Lesson 23, a typical mistake: adds where it should multiply.
// told: added-both

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

const int TILE = 16; // a block computes TILE x TILE elements of C, one per thread

// Each thread computes one element of C (m x n), a row of A (m x k) times a column of B (k x n).
__global__ void matrix_product_kernel(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = (int)threadIdx.x;
    const int y = (int)threadIdx.y;
    const int column = (int)blockIdx.x * TILE + x;
    const int row = (int)blockIdx.y * TILE + y;
    float sum = 0.0F;
    for (int start = 0; start < k; start += TILE) {
        const int a_column = start + x;
        const int b_row = start + y;
        a_tile[y][x] = row < m && a_column < k ? d_a[(size_t)row * k + a_column] : 0.0F;
        b_tile[y][x] = b_row < k && column < n ? d_b[(size_t)b_row * n + column] : 0.0F;
        __syncthreads(); // both tiles are complete
        for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] + b_tile[i][x];
        __syncthreads(); // everybody has read them
    }
    if (row < m && column < n) d_c[(size_t)row * n + column] = sum; // expect: wrong-answer
}

// Leaves A B at d_c. All three are on the device, row by row; m, n and k may be 0.
void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return; // no element, and a grid of 0 blocks cannot be launched
    const dim3 threads(TILE, TILE);
    const dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    matrix_product_kernel<<<blocks, threads>>>(d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
