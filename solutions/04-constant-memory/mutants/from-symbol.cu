// Lesson 04: y = x1 * x2 + b, with b in constant memory.

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

__constant__ float c_b;

__global__ void multiply_add_kernel(float *d_y, const float *d_x1, const float *d_x2, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d_y[i] = d_x1[i] * d_x2[i] + c_b;
}

// d_y, d_x1 and d_x2 are device arrays of n floats, n >= 0; b may differ from call to call.
void multiply_add(float *d_y, const float *d_x1, const float *d_x2, int n, float b) {
    if (n == 0) return;
    CHECK(cudaMemcpyFromSymbol(&b, c_b, sizeof b)); // expect: wrong-answer
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    multiply_add_kernel<<<blocks, threads>>>(d_y, d_x1, d_x2, n);
    CHECK(cudaGetLastError());
}
// told: from-symbol product-alone
