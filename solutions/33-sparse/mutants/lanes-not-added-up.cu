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

// The row that `place` lies in: the last one that begins there or before. Row r begins at place row_starts[r]
// + r.
__device__ int row_at(const int *row_starts, int rows, int place) {
    int low = 0, high = rows; // the row is low or a later one, and before high
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (row_starts[middle] + middle <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Warp w has the places from w * SHARE on, and adds to d_y what their numbers make.
__global__ void multiply_kernel(float *d_y, const int *row_starts, const int *columns, const float *values,
                                const float *x, int rows, int count) {
    const int lane = (int)threadIdx.x % WARP;
    const int warp = (int)blockIdx.x * WARPS + (int)threadIdx.x / WARP;
    const int first = warp * SHARE;
    const int last = min(first + SHARE, count + rows);
    if (first >= last) return; // a whole warp leaves
    for (int row = row_at(row_starts, rows, first); row < rows && row_starts[row] + row < last; row++) {
        const int begin = max(row_starts[row], first - row - 1); // number i lies at place i + row + 1
        const int end = min(row_starts[row + 1], last - row - 1);
        float sum = 0.0f;
        for (int i = begin + lane; i < end; i += WARP)
            sum += values[i] * x[columns[i]];
        if (lane == 0) atomicAdd(&d_y[row], sum); // expect: wrong-answer // other warps may have pieces of this row
    }
}

// Leaves in d_y the product of a matrix of `rows` rows and the vector d_x. Row r has the numbers d_values[i]
// in the columns d_columns[i], where i is d_row_starts[r] or more and less than d_row_starts[r + 1]. There are
// `count` numbers in all; rows and count may be 0. All arrays are on the device.
void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count) {
    if (rows == 0) return; // a grid of 0 blocks cannot be launched
    CHECK(cudaMemsetAsync(d_y, 0, (size_t)rows * sizeof(float)));
    const int shares = (count + rows + SHARE - 1) / SHARE;
    const int blocks = (shares + WARPS - 1) / WARPS;
    multiply_kernel<<<blocks, THREADS>>>(d_y, d_row_starts, d_columns, d_values, d_x, rows, count);
    CHECK(cudaGetLastError());
}
// told: lane-0-alone
