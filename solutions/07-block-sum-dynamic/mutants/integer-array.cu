// Wrong: the shared array holds integers, every value loses its fraction.

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
    extern __shared__ int temp[]; // its size comes from the launch
    int tid = threadIdx.x;
    temp[tid] = (int)d_in[tid];
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads(); // what the pass before wrote is complete
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) d_out[0] = (float)temp[0]; // expect: wrong-answer
}

// d_in has `threads` elements (a power of two, at most 1024), d_out has one; both are device memory.
void block_sum(float *d_out, const float *d_in, int threads) {
    const size_t bytes = (size_t)threads * sizeof(float);
    block_sum_kernel<<<1, threads, bytes>>>(d_out, d_in);
    CHECK(cudaGetLastError());
}
// told: made-whole
