// Lesson 33, a typical mistake: lanes add what a shuffle past the first lane gives them.

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

// A thread has one number. Lanes with numbers of one row add them up among themselves, and the last of them
// adds the sum to the result.
__device__ int row_of(const int *starts, int rows, int i) {
    int low = 0, high = rows; // starts[low] <= i < starts[high]
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (starts[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__global__ void multiply(float *y, const int *starts, const int *columns, const float *values, const float *x,
                         int rows, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool has = i < count;
    const int row = has ? row_of(starts, rows, i) : -1;
    float sum = has ? values[i] * x[columns[i]] : 0.0f;
    for (int d = 1; d < 32; d *= 2) {
        const float other = __shfl_up_sync(~0U, sum, d);
        const int its_row = __shfl_up_sync(~0U, row, d);
        if (its_row == row) sum += other;
    }
    const int next = __shfl_down_sync(~0U, row, 1);
    if (has && (lane == 31 || next != row)) atomicAdd(y + row, sum); // expect: wrong-answer
}

void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count) {
    if (rows == 0) return;
    CHECK(cudaMemsetAsync(d_y, 0, rows * sizeof(float)));
    if (count == 0) return;
    multiply<<<(count + 255) / 256, 256>>>(d_y, d_row_starts, d_columns, d_values, d_x, rows, count);
    CHECK(cudaGetLastError());
}

// told: own-again
