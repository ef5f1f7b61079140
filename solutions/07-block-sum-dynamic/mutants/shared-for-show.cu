// Lesson 07, for show: each thread reads back what it stored itself, and atomic operations add up.

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

// Run by one block; blockDim.x is a power of two and the number of elements.
__global__ void block_sum_kernel(float *d_out, const float *d_in) {
    extern __shared__ float temp[]; // its size comes from the launch
    int tid = threadIdx.x;
    temp[tid] = d_in[tid];
    atomicAdd(d_out, temp[tid]);
}

// d_in has `threads` elements (a power of two, at most 1024), d_out has one; both are device memory.
void block_sum(float *d_out, const float *d_in, int threads) {
    const size_t bytes = (size_t)threads * sizeof(float);
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    block_sum_kernel<<<1, threads, bytes>>>(d_out, d_in); // expect: not-as-asked
    CHECK(cudaGetLastError());
}
// told: shared
