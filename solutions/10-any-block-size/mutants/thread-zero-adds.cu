// Thread 0 adds up what the others have brought: right for any size, and not in parallel.
// Lesson 10: the sum of n numbers by one block of n threads, n any number from 1 to 1024.

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

__device__ int largest_power_of_two(int n) {
    int power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

__global__ void block_sum_kernel(float *d_out, const float *d_in) {
    extern __shared__ float temp[];
    const int tid = (int)threadIdx.x;
    const int threads = (int)blockDim.x;
    temp[tid] = d_in[tid];

    __syncthreads();
    for (int i = 1; tid == 0 && i < threads; i++) temp[0] += temp[i];

    if (tid == 0) d_out[0] = temp[0];
}

// d_in is as many numbers as there are threads, 1 to 1024; d_out is one. Both are on the device.
void block_sum(float *d_out, const float *d_in, int threads) {
    block_sum_kernel<<<1, threads, (size_t)threads * sizeof(float)>>>(d_out, d_in); // expect-note: over-budget longest_thread
    CHECK(cudaGetLastError());
}
