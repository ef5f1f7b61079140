// Lesson 10, another way: room for the next power of two, the rest of it zero, and the tree as it was.

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

__global__ void block_sum_kernel(float *d_out, const float *d_in, int padded) {
    extern __shared__ float temp[];
    const int tid = (int)threadIdx.x;
    const int threads = (int)blockDim.x;
    temp[tid] = d_in[tid];
    if (threads + tid < padded) temp[threads + tid] = 0.0F;
    for (int d = padded / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) d_out[0] = temp[0];
}

void block_sum(float *d_out, const float *d_in, int threads) {
    int padded = 1;
    while (padded < threads)
        padded *= 2; // less than twice the threads: each clears at most one place
    block_sum_kernel<<<1, threads, (size_t)padded * sizeof(float)>>>(d_out, d_in, padded);
    CHECK(cudaGetLastError());
}
