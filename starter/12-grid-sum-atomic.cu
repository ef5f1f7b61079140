// Lesson 12: the sum of n numbers by many blocks, each adding its own sum to the result by one atomic
// addition.

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

// Each block adds up its own part of d_in and adds that sum to *d_out.
__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    // Your turn: add up the block's numbers in shared memory, as in lesson 11; one thread then adds that to *d_out
}

// Leaves in *d_out the sum of the n numbers at d_in, both on the device; n >= 0. `threads` is a power of two.
void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    // Your turn: make the result zero before any block adds to it
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    const int blocks = (n + threads - 1) / threads;
    grid_sum_kernel<<<blocks, threads, (size_t)threads * sizeof(float)>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
