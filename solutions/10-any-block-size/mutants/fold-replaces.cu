// Lesson 10, a typical mistake: the fold replaces the first numbers and does not add to them.
// told: fold-replaces

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

    const int power = largest_power_of_two(threads);
    __syncthreads(); // all elements are there
    if (tid + power < threads) temp[tid] = temp[tid + power];
    for (int d = power / 2; d > 0; d /= 2) {
        __syncthreads(); // the step before must be complete
        if (tid < d) temp[tid] += temp[tid + d];
    }

    if (tid == 0) d_out[0] = temp[0]; // expect: wrong-answer
}

// d_in is as many numbers as there are threads, 1 to 1024; d_out is one. Both are on the device.
void block_sum(float *d_out, const float *d_in, int threads) {
    block_sum_kernel<<<1, threads, (size_t)threads * sizeof(float)>>>(d_out, d_in);
    CHECK(cudaGetLastError());
}
