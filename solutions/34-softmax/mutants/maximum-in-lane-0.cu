// Lesson 34, a typical mistake: a maximum that only lane 0 has, and each lane subtracts its own.

#include <cmath>
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

enum { WARP = 32, THREADS = 256 };

// A warp has a row.
__global__ void softmax_kernel(float *d_y, const float *d_x, int rows, int cols) {
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    const int lane = (int)threadIdx.x % WARP;
    if (row >= rows) return;
    const float *x = d_x + (size_t)row * cols;
    float *y = d_y + (size_t)row * cols;
    float max = -INFINITY, sum = 0.0f;
    for (int i = lane; i < cols; i += WARP)
        max = fmaxf(max, x[i]);
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        max = fmaxf(max, __shfl_down_sync(0xffffffff, max, apart));
    for (int i = lane; i < cols; i += WARP)
        sum += expf(x[i] - max);
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    for (int i = lane; i < cols; i += WARP)
        y[i] = expf(x[i] - max) / sum; // expect: wrong-answer
}

void softmax(float *d_y, const float *d_x, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int blocks = (rows * WARP + THREADS - 1) / THREADS;
    softmax_kernel<<<blocks, THREADS>>>(d_y, d_x, rows, cols);
    CHECK(cudaGetLastError());
}
// told: lane-zero-maximum
