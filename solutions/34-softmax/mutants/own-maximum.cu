// Lesson 34: softmax over the rows of a matrix, a block for each row.

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

// What the 32 lanes of a warp know together, in lane 0. All lanes must call it.
__device__ Running joined_in_warp(Running mine) {
    for (int apart = WARP / 2; apart > 0; apart /= 2) {
        const Running other = {__shfl_down_sync(0xffffffffU, mine.max, apart),
                               __shfl_down_sync(0xffffffffU, mine.sum, apart)};
        mine = joined(mine, other);
    }
    return mine;
}

// Block r has row r of d_x, `cols` numbers, and leaves its softmax in row r of d_y.
__global__ void softmax_kernel(float *d_y, const float *d_x, int cols) {
    const float *x = d_x + (size_t)blockIdx.x * cols;
    float *y = d_y + (size_t)blockIdx.x * cols;
    Running mine = {-INFINITY, 0.0f};
    for (int i = (int)threadIdx.x; i < cols; i += THREADS)
        mine = joined(mine, {x[i], 1.0f});
    __shared__ Running warps[WARPS];
    const int lane = (int)threadIdx.x % WARP;
    const int warp = (int)threadIdx.x / WARP;
    mine = joined_in_warp(mine);
    if (lane == 0) warps[warp] = mine;
    __syncthreads(); // all warps have left what they know
    Running all = warps[0];
    for (int w = 1; w < WARPS; w++)
        all = joined(all, warps[w]);
    for (int i = (int)threadIdx.x; i < cols; i += THREADS)
        y[i] = expf(x[i] - mine.max) / all.sum; // expect: wrong-answer
}

// Leaves in each row of d_y the softmax of that row of d_x. Both have rows x cols numbers, on the device;
// rows and cols may be 0.
void softmax(float *d_y, const float *d_x, int rows, int cols) {
    if (rows == 0 || cols == 0) return; // a grid of 0 blocks cannot be launched
    softmax_kernel<<<rows, THREADS>>>(d_y, d_x, cols);
    CHECK(cudaGetLastError());
}
// told: other-maximum
