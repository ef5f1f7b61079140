// Lesson 07, a typical mistake: the host adds up, and the kernel only stores the sum that it is given.

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
__global__ void block_sum_kernel(float *d_out, float sum) {
    int tid = threadIdx.x;
    if (tid == 0) d_out[0] = sum;
}

// d_in has `threads` elements (a power of two, at most 1024), d_out has one; both are device memory.
void block_sum(float *d_out, const float *d_in, int threads) {
    const size_t bytes = (size_t)threads * sizeof(float);
    float h_in[1024], sum = 0.0F;
    CHECK(cudaMemcpy(h_in, d_in, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < threads; i++)
        sum += h_in[i];
    block_sum_kernel<<<1, threads>>>(d_out, sum); // expect: not-by-kernel
    CHECK(cudaGetLastError());
}
// told: contents
