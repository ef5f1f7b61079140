// Lesson 06, a typical mistake: the column is worked out by a square root of floats. From column 4607 on the root of an
// element on the diagonal is rounded up to the next column, and the row becomes -1.

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
    const size_t count = (size_t)n * (n + 1) / 2;
    const size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= count) return;
    const int col = (int)((sqrtf(8.0F * k + 1.0F) - 1.0F) / 2.0F); // columns have 1, 2, 3, ... elements
    const int row = (int)(k - (size_t)col * (col + 1) / 2);
    d_a[(long)row * n + col] = value; // expect: out-of-bounds
}

// Fills the upper triangle, with the diagonal, of the n x n matrix at d_a, on the device; n >= 0.
void fill_upper(float *d_a, int n, float value) {
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    const int threads = 256;
    const size_t blocks = ((size_t)n * (n + 1) / 2 + threads - 1) / threads;
    fill_upper_kernel<<<(unsigned)blocks, threads>>>(d_a, n, value);
    CHECK(cudaGetLastError());
}
// told: unknown
