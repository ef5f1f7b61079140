// Lesson 06, another way: row i from above and row i from below have n + 1 elements together. A block fills
// such a pair, so that all blocks have the same work.

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

// Writes the elements (row, col) with col >= row, and touches no other. The matrix has n rows of n elements.
__global__ void fill_upper_kernel(float *d_a, int n, float value) {
    const int pairs = (n + 1) / 2;
    for (int row = blockIdx.x; row < pairs; row += gridDim.x) {
        const int other = n - 1 - row; // with odd n the row in the middle is its own partner
        const int length = n - row;
        const int both = other > row ? n + 1 : length;
        for (int i = threadIdx.x; i < both; i += blockDim.x) {
            const int at = i < length ? row : other;
            const int col = i < length ? row + i : other + i - length;
            d_a[(size_t)at * n + col] = value;
        }
    }
}

// Fills the upper triangle, with the diagonal, of the n x n matrix at d_a, on the device; n >= 0.
void fill_upper(float *d_a, int n, float value) {
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    const int threads = 256;
    const int blocks = n < 2112 ? (n + 1) / 2 : 1056;
    fill_upper_kernel<<<blocks, threads>>>(d_a, n, value);
    CHECK(cudaGetLastError());
}
