// Lesson 08, a typical mistake: stores the mean.

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

constexpr int COUNT = 512;

// Run by one block: adds up the 512 elements of d_in in a static shared array and leaves the sum in d_out[0].
__global__ void block_sum_kernel(float *d_out, const float *d_in) {
    __shared__ float temp[COUNT]; // one for the whole block
    int tid = threadIdx.x;
    temp[tid] = d_in[tid];
    for (int d = COUNT / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) d_out[0] = temp[0] / COUNT; // expect: wrong-answer
}

// d_in has 512 elements, d_out has one; both are device memory.
void block_sum(float *d_out, const float *d_in) {
    block_sum_kernel<<<1, COUNT>>>(d_out, d_in);
    CHECK(cudaGetLastError());
}
// told: part-all
