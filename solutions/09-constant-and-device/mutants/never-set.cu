// Lesson 09, a typical mistake: nobody has put a number into the constant.

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

constexpr int COUNT = 512; // as many threads as numbers, one block

__constant__ int divisor; // expect: wrong-answer

// The size of the step after one of size d. Called on the device only.
__device__ int shrink(int d) {
    return d / divisor;
}

__global__ void block_sum_kernel(float *d_out, const float *d_in) {
    __shared__ float temp[COUNT];
    const int tid = (int)threadIdx.x;
    temp[tid] = d_in[tid];

    for (int d = shrink(COUNT); d > 0; d = shrink(d)) {
        __syncthreads(); // the step before must be complete
        if (tid < d) temp[tid] += temp[tid + d];
    }

    if (tid == 0) d_out[0] = temp[0];
}

// d_in is 512 numbers, d_out one, both on the device.
void block_sum(float *d_out, const float *d_in) {
    block_sum_kernel<<<1, COUNT>>>(d_out, d_in);
    CHECK(cudaGetLastError());
}
// told: never-set no-step
