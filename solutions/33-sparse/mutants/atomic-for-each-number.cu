// Lesson 33: a sparse matrix times a vector. Each thread has a
// number, looks for its row, and adds to its result.

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

// The row of number i: the last one that begins there or before.
__device__ int row_of(const int *row_starts, int rows, int i) {
    int low = 0, high = rows;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (row_starts[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Each thread has a number.
__global__ void multiply_kernel(float *d_y, const int *row_starts, const int *columns, const float *values,
                                const float *x, int rows, int count) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) atomicAdd(&d_y[row_of(row_starts, rows, i)], values[i] * x[columns[i]]);
}

// Leaves in d_y the product of a matrix of `rows` rows and the vector d_x. Row r has the numbers d_values[i]
// in the columns d_columns[i], where i is d_row_starts[r] or more and less than d_row_starts[r + 1]. There are
// `count` numbers in all; rows and count may be 0. All arrays are on the device.
void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count) {
    if (rows == 0) return; // a grid of 0 blocks cannot be launched
    CHECK(cudaMemsetAsync(d_y, 0, (size_t)rows * sizeof(float)));
    const int blocks = (count + rows + THREADS - 1) / THREADS;
    multiply_kernel<<<blocks, THREADS>>>(d_y, d_row_starts, d_columns, d_values, d_x, rows, count); // expect-note: over-budget global_atomics
    CHECK(cudaGetLastError());
}
