// Lesson 34: softmax over the rows of a matrix. The threads' pairs are joined by lesson 07's tree.

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

enum { THREADS = 256 };

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

// Block r has row r of d_x, `cols` numbers, and leaves its softmax in row r of d_y.
__global__ void softmax_kernel(float *d_y, const float *d_x, int cols) {
    const float *x = d_x + (size_t)blockIdx.x * cols;
    float *y = d_y + (size_t)blockIdx.x * cols;
    Running mine = {-INFINITY, 0.0f};
    for (int i = (int)threadIdx.x; i < cols; i += THREADS)
        mine = joined(mine, {x[i], 1.0f});
    __shared__ Running known[THREADS];
    const int tid = (int)threadIdx.x;
    known[tid] = mine;
    for (int d = THREADS / 2; d > 0; d /= 2) {
        __syncthreads(); // the step before is complete
        if (tid < d) known[tid] = joined(known[tid], known[tid + d]);
    }
    __syncthreads();
    const Running all = known[0];
    for (int i = (int)threadIdx.x; i < cols; i += THREADS)
        y[i] = expf(x[i] - all.max) / all.sum;
}

// Leaves in each row of d_y the softmax of that row of d_x. Both have rows x cols numbers, on the device;
// rows and cols may be 0.
void softmax(float *d_y, const float *d_x, int rows, int cols) {
    if (rows == 0 || cols == 0) return; // a grid of 0 blocks cannot be launched
    softmax_kernel<<<rows, THREADS>>>(d_y, d_x, cols);
    CHECK(cudaGetLastError());
}
