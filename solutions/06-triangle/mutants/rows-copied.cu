// Lesson 06, a typical mistake: a kernel fills the first row, and the runtime copies it to the others.

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
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col < n) d_a[col] = value;
}

// Fills the upper triangle, with the diagonal, of the n x n matrix at d_a, on the device; n >= 0.
void fill_upper(float *d_a, int n, float value) { // expect: not-on-gpu
    if (n == 0) return;                           // a grid of 0 blocks cannot be launched
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    fill_upper_kernel<<<blocks, threads>>>(d_a, n, value);
    CHECK(cudaGetLastError());
    for (int row = 1; row < n; row++) {
        float *d_diagonal = d_a + (size_t)row * n + row;
        CHECK(cudaMemcpy(d_diagonal, d_a, (n - row) * sizeof(float), cudaMemcpyDeviceToDevice));
    }
}
// told: not-all unfollowed
