// Lesson 34: softmax over the rows of a matrix, a warp for each row. All lanes learn the result.

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

enum { WARP = 32, THREADS = 128, WARPS = THREADS / WARP };

// What is known of some numbers: the largest, and the sum of exp(number - max) of all of them. Of no numbers at
// all that is -INFINITY and 0.
struct Running {
    float max, sum;
};

// What is known of the numbers of a and b together.
__device__ Running joined(Running a, Running b) {
    if (a.sum == 0.0f) return b;
    if (b.sum == 0.0f) return a;
    const float max = fmaxf(a.max, b.max);
    return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
}

// A warp has a row: no shared memory, and no barrier.
__global__ void softmax_kernel(float *d_y, const float *d_x, int rows, int cols) {
    const int row = (int)(blockIdx.x * WARPS + threadIdx.x / WARP);
    const int lane = (int)threadIdx.x % WARP;
    if (row >= rows) return; // a whole warp leaves
    const float *x = d_x + (size_t)row * cols;
    float *y = d_y + (size_t)row * cols;
    Running mine = {-INFINITY, 0.0f};
    for (int i = lane; i < cols; i += WARP)
        mine = joined(mine, {x[i], 1.0f});
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        mine = joined(mine, {__shfl_xor_sync(0xffffffffU, mine.max, apart),
                             __shfl_xor_sync(0xffffffffU, mine.sum, apart)});
    for (int i = lane; i < cols; i += WARP)
        y[i] = expf(x[i] - mine.max) / mine.sum;
}

// Leaves in each row of d_y the softmax of that row of d_x. Both have rows x cols numbers, on the device;
// rows and cols may be 0.
void softmax(float *d_y, const float *d_x, int rows, int cols) {
    if (rows == 0 || cols == 0) return; // a grid of 0 blocks cannot be launched
    softmax_kernel<<<(rows + WARPS - 1) / WARPS, THREADS>>>(d_y, d_x, rows, cols);
    CHECK(cudaGetLastError());
}
