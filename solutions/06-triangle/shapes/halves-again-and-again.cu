// Lesson 06: a square, and two triangles of half the size, which the host divides in the same way.

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

__global__ void fill_square(float *d_corner, int n, int rows, int cols, float value) {
    const int col = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int row = (int)blockIdx.y; row < rows && col < cols; row += (int)gridDim.y)
        d_corner[(size_t)row * n + col] = value;
}

__global__ void fill_small(float *d_corner, int n, int size, float value) {
    const int col = (int)threadIdx.x;
    for (int row = 0; row <= col && col < size; row++)
        d_corner[(size_t)row * n + col] = value;
}

static void fill_from(float *d_a, int n, int first, int size, float value) {
    float *d_corner = d_a + (size_t)first * n + first;
    if (size <= 512) {
        fill_small<<<1, 512>>>(d_corner, n, size, value); // expect-note: over-budget longest_thread
        CHECK(cudaGetLastError());
        return;
    }
    const int half = size / 2, rest = size - half;
    fill_square<<<dim3((rest + 255) / 256, half), 256>>>(d_corner + half, n, half, rest, value);
    CHECK(cudaGetLastError());
    fill_from(d_a, n, first, half, value);
    fill_from(d_a, n, first + half, rest, value);
}

void fill_upper(float *d_a, int n, float value) {
    if (n > 0) fill_from(d_a, n, 0, n, value);
}
