// Lesson 06, a typical mistake: past the end of a row the next one begins, and that is below the diagonal.

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
    for (int row = blockIdx.x; row < n; row += gridDim.x) {
        float *d_row = d_a + (size_t)row * n;
        for (int col = row + threadIdx.x; col <= n; col += blockDim.x)
            d_row[col] = value; // expect: wrong-answer
    }
}

// Fills the upper triangle, with the diagonal, of the n x n matrix at d_a, on the device; n >= 0.
void fill_upper(float *d_a, int n, float value) {
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    const int threads = 256;
    const int blocks = n < 1056 ? n : 1056;
    fill_upper_kernel<<<blocks, threads>>>(d_a, n, value);
    CHECK(cudaGetLastError());
}
// told: another past-row-end
