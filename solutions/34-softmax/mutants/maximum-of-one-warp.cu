// Lesson 34, a typical mistake: the maximum of a block's first warp, which is not that of the row.

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

// Block r has row r.
__global__ void softmax_kernel(float *d_y, const float *d_x, int cols) {
    __shared__ float row_max, row_sum;
    const float *x = d_x + (size_t)blockIdx.x * cols;
    float *y = d_y + (size_t)blockIdx.x * cols;
    const int thread = (int)threadIdx.x;
    float max = -INFINITY, sum = 0.0f;
    for (int i = thread; i < cols; i += THREADS)
        max = fmaxf(max, x[i]);
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        max = fmaxf(max, __shfl_down_sync(0xffffffffU, max, apart));
    if (thread == 0) {
        row_max = max;
        row_sum = 0.0f;
    }
    __syncthreads();
    for (int i = thread; i < cols; i += THREADS)
        sum += expf(x[i] - row_max);
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffffU, sum, apart);
    if (thread % WARP == 0) atomicAdd(&row_sum, sum);
    __syncthreads();
    for (int i = thread; i < cols; i += THREADS)
        y[i] = expf(x[i] - row_max) / row_sum; // expect: wrong-answer
}

// Leaves in each row of d_y the softmax of that row of d_x.
void softmax(float *d_y, const float *d_x, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    softmax_kernel<<<rows, THREADS>>>(d_y, d_x, cols);
    CHECK(cudaGetLastError());
}
// told: part-maximum
