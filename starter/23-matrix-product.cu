// Lesson 23: the product of two matrices, whose tiles each block brings to shared memory once and uses many
// times.

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
    // Your turn: walk along k in steps of TILE. In each step the block brings one tile of A and one of B to shared
    // memory, a number of each per thread, and every thread adds TILE products to its sum. Then store it.
}

// Leaves A B at d_c. All three are on the device, row by row; m, n and k may be 0.
void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return; // no element, and a grid of 0 blocks cannot be launched
    const dim3 threads(TILE, TILE);
    const dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    matrix_product_kernel<<<blocks, threads>>>(d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
