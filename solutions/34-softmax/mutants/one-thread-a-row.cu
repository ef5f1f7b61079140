// Lesson 34: softmax over the rows of a matrix, a thread for each row.

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

enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP };

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

// Each thread has a row.
__global__ void softmax_kernel(float *d_y, const float *d_x, int rows, int cols) {
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows) return;
    const float *x = d_x + (size_t)row * cols;
    float *y = d_y + (size_t)row * cols;
    Running all = {-INFINITY, 0.0f};
    for (int i = 0; i < cols; i++)
        all = joined(all, {x[i], 1.0f});
    for (int i = 0; i < cols; i++)
        y[i] = expf(x[i] - all.max) / all.sum;
}

// Leaves in each row of d_y the softmax of that row of d_x. Both have rows x cols numbers, on the device;
// rows and cols may be 0.
void softmax(float *d_y, const float *d_x, int rows, int cols) {
    if (rows == 0 || cols == 0) return; // a grid of 0 blocks cannot be launched
    softmax_kernel<<<(rows + 3) / 4, 4>>>(d_y, d_x, rows, cols); // expect-note: over-budget global_load_sectors longest_thread
    CHECK(cudaGetLastError());
}
