// Lesson 19: the sum of n numbers. The lanes of a warp add by shuffles, from register to register; shared
// memory holds one sum per warp.

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
enum { WARP = 32 };

// The sum of the values of all 32 lanes, in lane 0. All lanes must call it.
__device__ float warp_sum(float value) {
    // Your turn: in each step every lane adds the value of the lane 16, 8, 4, 2, 1 places above it
    return value;
}

// Each block adds up its own part of d_in and adds that sum to *d_out. Blocks are whole warps.
__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    // Your turn: add up each warp; lane 0 leaves the warp's sum in shared memory; the first warp adds up those
    // sums, and adds the block's sum to the result
}

// Leaves in *d_out the sum of the n numbers at d_in, both on the device; n >= 0. `threads` is from 1 to 1024.
void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    // Your turn: a block of whole warps: at least as many threads as asked for
    const int blocks = (n + threads - 1) / threads;
    grid_sum_kernel<<<blocks, threads>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
