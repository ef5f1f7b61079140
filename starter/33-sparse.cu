// Lesson 33: a sparse matrix times a vector. Each warp gets equally many places, whatever the rows' lengths: a
// row has as many places as it has numbers, and one more.

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

// SHARE: the places of a warp.
enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, SHARE = 256 };

// The row that `place` lies in: the last that begins there or before. Row r begins at place row_starts[r] + r.
__device__ int row_at(const int *row_starts, int rows, int place) {
    // Your turn: halve the rows in question until one is left
    (void)row_starts;
    (void)rows;
    (void)place;
    return 0;
}

// Warp w has the places from w * SHARE on, and adds to d_y what their numbers make.
__global__ void multiply_kernel(float *d_y, const int *row_starts, const int *columns, const float *values,
                                const float *x, int rows, int count) {
    // Your turn: this is right, and slow: a thread has a row. First give a row to a warp, then places to each warp
    (void)count;
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows) return;
    float sum = 0.0f;
    for (int i = row_starts[row]; i < row_starts[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    d_y[row] = sum;
}

// Leaves in d_y the product of a matrix of `rows` rows and the vector d_x. Row r has the numbers d_values[i]
// in the columns d_columns[i], where i is d_row_starts[r] or more and less than d_row_starts[r + 1]. There are
// `count` numbers in all; rows and count may be 0. All arrays are on the device.
void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count) {
    if (rows == 0) return; // a grid of 0 blocks cannot be launched
    // Your turn: a thread for each row; then a warp for each share, which adds to what is there
    const int blocks = (rows + THREADS - 1) / THREADS;
    multiply_kernel<<<blocks, THREADS>>>(d_y, d_row_starts, d_columns, d_values, d_x, rows, count);
    CHECK(cudaGetLastError());
}
