// Lesson 06: a thread for each element, whose row is found in whole numbers, by halving.

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

// Elements above that row.
__device__ long long elements_above(long long row, long long n) {
    return row * n - row * (row - 1) / 2;
}

__global__ void fill_kernel(float *d_a, int n, float value) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= elements_above(n, n)) return;
    int row = 0, end = n;
    while (end - row > 1) {
        const int middle = (row + end) / 2;
        if (elements_above(middle, n) <= i)
            row = middle;
        else
            end = middle;
    }
    d_a[(size_t)row * n + row + (i - elements_above(row, n))] = value;
}

void fill_upper(float *d_a, int n, float value) {
    if (n == 0) return;
    const long long elements = (long long)n * (n + 1) / 2;
    fill_kernel<<<(unsigned)((elements + 511) / 512), 512>>>(d_a, n, value);
    CHECK(cudaGetLastError());
}
