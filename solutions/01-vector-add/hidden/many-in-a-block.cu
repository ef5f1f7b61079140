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
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

// h_x, h_y and h_z are arrays of n floats in the host's memory, n >= 0.
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return; // nothing to add, and a grid of 0 blocks cannot be launched
    size_t bytes = (size_t)n * sizeof(float);
    float *d_x = NULL;
    float *d_y = NULL;
    float *d_z = NULL;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));

    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));

    vector_add_kernel<<<256, (n + 255) / 256>>>(d_z, d_x, d_y, n); // expect: invalid-launch
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
    CHECK(cudaFree(d_z));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_x));
}
