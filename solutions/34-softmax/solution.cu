// Lesson 34: softmax over the rows of a matrix. A block has a row: its threads find maximum and sum in one pass,
// join what they have found by warps and then by the block, and write the row in a second pass.

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
    // >>> the larger maximum, and both sums as if they had been made with it. Mind the case of no numbers
    //+ (void)b;
    //+ return a;
    // [joined]
    if (a.sum == 0.0f) return b;
    if (b.sum == 0.0f) return a;
    const float max = fmaxf(a.max, b.max);
    return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
    // [/joined]
    // <<<
}

// What the 32 lanes of a warp know together, in lane 0. All lanes must call it.
__device__ Running joined_in_warp(Running mine) {
    // >>> as lesson 19 adds up a warp, with joined in place of the addition
    // [warp]
    for (int apart = WARP / 2; apart > 0; apart /= 2) {
        const Running other = {__shfl_down_sync(0xffffffffU, mine.max, apart),
                               __shfl_down_sync(0xffffffffU, mine.sum, apart)};
        mine = joined(mine, other);
    }
    // [/warp]
    // <<<
    return mine;
}

// Block r has row r of d_x, `cols` numbers, and leaves its softmax in row r of d_y.
__global__ void softmax_kernel(float *d_y, const float *d_x, int cols) {
    const float *x = d_x + (size_t)blockIdx.x * cols;
    float *y = d_y + (size_t)blockIdx.x * cols;
    // >>> this is right for small numbers, and slow: every thread adds up the whole row. Let each take every
    // > THREADSth number and keep a Running of them, join these, and divide by what the block knows
    //+ float sum = 0.0f;
    //+ for (int i = 0; i < cols; i++)
    //+     sum += expf(x[i]);
    //+ for (int i = (int)threadIdx.x; i < cols; i += THREADS)
    //+     y[i] = expf(x[i]) / sum;
    // [pass]
    Running mine = {-INFINITY, 0.0f};
    for (int i = (int)threadIdx.x; i < cols; i += THREADS)
        mine = joined(mine, {x[i], 1.0f});
    // [/pass]
    // [block]
    __shared__ Running warps[WARPS];
    const int lane = (int)threadIdx.x % WARP;
    const int warp = (int)threadIdx.x / WARP;
    mine = joined_in_warp(mine);
    if (lane == 0) warps[warp] = mine;
    __syncthreads(); // all warps have left what they know
    Running all = warps[0];
    for (int w = 1; w < WARPS; w++)
        all = joined(all, warps[w]);
    // [/block]
    // [write]
    for (int i = (int)threadIdx.x; i < cols; i += THREADS)
        y[i] = expf(x[i] - all.max) / all.sum;
    // [/write]
    // <<<
}

// Leaves in each row of d_y the softmax of that row of d_x. Both have rows x cols numbers, on the device;
// rows and cols may be 0.
void softmax(float *d_y, const float *d_x, int rows, int cols) {
    if (rows == 0 || cols == 0) return; // a grid of 0 blocks cannot be launched
    softmax_kernel<<<rows, THREADS>>>(d_y, d_x, cols);
    CHECK(cudaGetLastError());
}
