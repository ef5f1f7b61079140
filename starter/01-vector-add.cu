// Lesson 01: z = x + y on the GPU, from the host's arrays and back.

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

// Runs once in every thread: each thread takes care of one element.
__global__ void vector_add_kernel(float *z, const float *x, const float *y, int n) {
    // Your turn: find this thread's element i, and add it if the arrays have such an element
}

// h_x, h_y and h_z are arrays of n floats in the host's memory, n >= 0.
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    // Your turn: 1. allocate three arrays of n floats on the device (cudaMalloc counts in bytes)

    // Your turn: 2. copy x and y from the host to the device

    // Your turn: 3. launch vector_add_kernel in blocks of 256 threads (what if n is 0?) and CHECK the launch

    // Your turn: 4. copy z back to the host, and free what you allocated
}
