// Lesson 33: a sparse matrix times a vector. A block makes the
// products of its share side by side, and leaves them in shared memory; then its warps add up rows there.

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

// SHARE: the places of a block.
enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, SHARE = 2048 };

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

// Block b has the places from b * SHARE on.
__global__ void multiply_kernel(float *d_y, const int *row_starts, const int *columns, const float *values,
                                const float *x, int rows, int count) {
    __shared__ float products[SHARE];
    __shared__ int rows_here[2]; // the first row of the share, and that of its last place
    const int lane = (int)threadIdx.x % WARP;
    const int warp = (int)threadIdx.x / WARP;
    const int first = (int)blockIdx.x * SHARE;
    const int last = min(first + SHARE, count + rows);
    if (threadIdx.x < 2)
        rows_here[threadIdx.x] = row_at(row_starts, rows, threadIdx.x == 0 ? first : last - 1);
    __syncthreads();
    const int top = rows_here[0], bottom = rows_here[1];
    const int begin = max(row_starts[top], first - top - 1); // number i lies at place i + row + 1
    const int end = min(row_starts[bottom + 1], last - bottom - 1);
    for (int i = begin + (int)threadIdx.x; i < end; i += THREADS)
        products[i - begin] = values[i] * x[columns[i]];
    __syncthreads();
    for (int row = top + warp; row <= bottom; row += WARPS) {
        const int from = max(row_starts[row], begin), to = min(row_starts[row + 1], end);
        float sum = 0.0f;
        for (int i = from + lane; i < to; i += WARP)
            sum += products[i - begin];
        for (int apart = WARP / 2; apart > 0; apart /= 2)
            sum += __shfl_down_sync(0xffffffffU, sum, apart);
        if (lane == 0) atomicAdd(&d_y[row], sum); // other blocks may have pieces of this row
    }
}

// Leaves in d_y the product of a matrix of `rows` rows and the vector d_x. Row r has the numbers d_values[i]
// in the columns d_columns[i], where i is d_row_starts[r] or more and less than d_row_starts[r + 1]. There
// are `count` numbers in all; rows and count may be 0. All arrays are on the device.
void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count) {
    if (rows == 0) return; // a grid of 0 blocks cannot be launched
    CHECK(cudaMemsetAsync(d_y, 0, (size_t)rows * sizeof(float)));
    const int blocks = (count + rows + SHARE - 1) / SHARE;
    multiply_kernel<<<blocks, THREADS>>>(d_y, d_row_starts, d_columns, d_values, d_x, rows, count);
    CHECK(cudaGetLastError());
}
