// Lesson 33: a sparse matrix times a vector. Right where a single row
// is long: a whole grid works on that one, and on no other.

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

// LONG: a row of more numbers has a kernel of its own.
enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, LONG = 1024 };

// The long row, if there is one.
__device__ int long_row;

// Each warp has a row. The long one it leaves to the next kernel.
__global__ void rows_kernel(float *d_y, const int *row_starts, const int *columns, const float *values,
                            const float *x, int rows) {
    const int lane = (int)threadIdx.x % WARP;
    const int row = (int)blockIdx.x * WARPS + (int)threadIdx.x / WARP;
    if (row >= rows) return; // a whole warp leaves
    const bool is_long = row_starts[row + 1] - row_starts[row] > LONG;
    if (is_long && lane == 0) atomicMax(&long_row, row);
    float sum = 0.0f;
    for (int i = row_starts[row] + lane; i < row_starts[row + 1] && !is_long; i += WARP)
        sum += values[i] * x[columns[i]];
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffffU, sum, apart);
    if (lane == 0) d_y[row] = sum; // expect: wrong-answer
}

// All warps of the grid have the long row.
__global__ void long_row_kernel(float *d_y, const int *row_starts, const int *columns, const float *values,
                                const float *x) {
    const int row = long_row;
    if (row < 0) return; // there is none
    float sum = 0.0f;
    for (int i = row_starts[row] + (int)(blockIdx.x * THREADS + threadIdx.x); i < row_starts[row + 1];
         i += (int)gridDim.x * THREADS)
        sum += values[i] * x[columns[i]];
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffffU, sum, apart);
    if (threadIdx.x % WARP == 0) atomicAdd(&d_y[row], sum);
}

// Leaves in d_y the product of a matrix of `rows` rows and the vector d_x. Row r of the matrix has the
// numbers d_values[i] in the columns d_columns[i], where i runs from d_row_starts[r] to d_row_starts[r + 1]
// - 1. There are `count` numbers in all; rows and count may be 0. All arrays are on the device.
void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count) {
    if (rows == 0) return; // a grid of 0 blocks cannot be launched
    (void)count;
    const int none = -1;
    CHECK(cudaMemcpyToSymbol(long_row, &none, sizeof none));
    rows_kernel<<<(rows + WARPS - 1) / WARPS, THREADS>>>(d_y, d_row_starts, d_columns, d_values, d_x, rows);
    CHECK(cudaGetLastError());
    long_row_kernel<<<16, THREADS>>>(d_y, d_row_starts, d_columns, d_values, d_x);
    CHECK(cudaGetLastError());
}
