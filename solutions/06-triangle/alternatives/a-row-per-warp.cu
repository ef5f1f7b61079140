// Lesson 06, another way: short rows keep a block of 256 threads waiting for a few. Here each warp takes
// rows of its own.

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
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int warps = gridDim.x * blockDim.x / 32;
    const int lane = threadIdx.x % 32;
    for (int row = warp; row < n; row += warps)
        for (int col = row + lane; col < n; col += 32)
            d_a[(size_t)row * n + col] = value;
}

// Fills the upper triangle, with the diagonal, of the n x n matrix at d_a, on the device; n >= 0.
void fill_upper(float *d_a, int n, float value) {
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    const int threads = 256;
    const int blocks = n < 8448 ? (n + 7) / 8 : 1056;
    fill_upper_kernel<<<blocks, threads>>>(d_a, n, value);
    CHECK(cudaGetLastError());
}
