// Lesson 34, a typical mistake: two lanes without a number are joined to nan.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cmath>
// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

enum { WARPS = 4 };

struct Running {
    float max, sum;
    __device__ void add(float x) {
        add(Running{x, 1.0f});
    }
    __device__ void add(Running other) {
        const float larger = fmaxf(max, other.max);
        sum = sum * expf(max - larger) + other.sum * expf(other.max - larger);
        max = larger;
    }
};

// A warp has a row.
__global__ void rows_by_warps(float *d_y, const float *d_x, int rows, int cols) {
    const int lane = threadIdx.x, row = blockIdx.x * WARPS + threadIdx.y;
    if (row >= rows) return; // a whole warp
    const float *x = d_x + (size_t)row * cols;
    float *y = d_y + (size_t)row * cols;
    Running mine{-INFINITY, 0.0f};
    for (int i = lane; i < cols; i += 32)
        mine.add(x[i]);
    for (int d = 16; d > 0; d /= 2)
        mine.add(Running{__shfl_xor_sync(~0U, mine.max, d), __shfl_xor_sync(~0U, mine.sum, d)});
    for (int i = lane; i < cols; i += 32)
        y[i] = expf(x[i] - mine.max) / mine.sum; // expect: wrong-answer
}

void softmax(float *d_y, const float *d_x, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    rows_by_warps<<<(rows + WARPS - 1) / WARPS, dim3(32, WARPS)>>>(d_y, d_x, rows, cols);
    CHECK(cudaGetLastError());
}

// told: no-numbers
