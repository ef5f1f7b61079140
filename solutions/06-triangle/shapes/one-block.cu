// Lesson 06: all rows by one block, a row for each warp.

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

__global__ void fill_kernel(float *d_a, int n, float value) {
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    for (int row = warp; row < n; row += (int)blockDim.x / 32)
        for (int col = row + lane; col < n; col += 32)
            d_a[(size_t)row * n + col] = value;
}

void fill_upper(float *d_a, int n, float value) {
    if (n > 0) fill_kernel<<<1, 1024>>>(d_a, n, value); // expect-note: over-budget longest_thread
    CHECK(cudaGetLastError());
}
