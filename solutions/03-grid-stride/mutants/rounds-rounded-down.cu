// Lesson 03, a typical mistake: the number of rounds is rounded down, and the last one is left out.

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

// Copies the n floats at d_x to d_y, by whatever grid it is launched with.
__global__ void copy_kernel(float *d_y, const float *d_x, int n) {
    const int all = gridDim.x * blockDim.x;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < n / all; round++)
        d_y[first + round * all] = d_x[first + round * all];
}

// Copies n floats from d_x to d_y, both on the device, by a grid of that many blocks of that many threads;
// n >= 0.
void copy_strided(float *d_y, const float *d_x, int n, int blocks, int threads) {
    copy_kernel<<<blocks, threads>>>(d_y, d_x, n); // expect: wrong-answer
    CHECK(cudaGetLastError());
}
// told: last-round-lost nobody partial-round-lost
