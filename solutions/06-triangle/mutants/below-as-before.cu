// Lesson 06, a typical mistake: blocks on the diagonal write what lies below it with the values that it
// has.

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
    // [kernel]
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if ((blockIdx.x + 1) * blockDim.x <= blockIdx.y * blockDim.y) return; // all of the block is below
    const size_t i = (size_t)row * n + col;
    if (row < n && col < n) d_a[i] = col >= row ? value : d_a[i]; // expect: wrong-answer
    // [/kernel]
}

// Fills the upper triangle, with the diagonal, of the n x n matrix at d_a, on the device; n >= 0.
void fill_upper(float *d_a, int n, float value) {
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    const dim3 threads(32, 8);
    const dim3 blocks((n + 31) / 32, (n + 7) / 8);
    fill_upper_kernel<<<blocks, threads>>>(d_a, n, value);
    CHECK(cudaGetLastError());
}
// told: kept
