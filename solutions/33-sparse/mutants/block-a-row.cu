// Lesson 33: a sparse matrix times a vector. Each block has a row,
// and most of its threads have nothing to do.

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

// Each block has a row.
__global__ void multiply_kernel(float *d_y, const int *row_starts, const int *columns, const float *values,
                                const float *x) {
    __shared__ float sums[WARPS];
    const int lane = (int)threadIdx.x % WARP;
    const int warp = (int)threadIdx.x / WARP;
    const int row = (int)blockIdx.x;
    float sum = 0.0f;
    for (int i = row_starts[row] + (int)threadIdx.x; i < row_starts[row + 1]; i += THREADS)
        sum += values[i] * x[columns[i]];
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffffU, sum, apart);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int other = 1; other < WARPS; other++)
        sum += sums[other];
    d_y[row] = sum;
}

// Leaves in d_y the product of a matrix of `rows` rows and the vector d_x. Row r has the numbers d_values[i]
// in the columns d_columns[i], where i is d_row_starts[r] or more and less than d_row_starts[r + 1]. There are
// `count` numbers in all; rows and count may be 0. All arrays are on the device.
void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count) {
    if (rows == 0) return; // a grid of 0 blocks cannot be launched
    (void)count;
    multiply_kernel<<<rows, THREADS>>>(d_y, d_row_starts, d_columns, d_values, d_x); // expect-note: over-budget warp_instructions
    CHECK(cudaGetLastError());
}
