// Lesson 19, a typical mistake: the first lane of each warp reads and adds what all its lanes have.

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
enum { WARP = 32 };

// Adds the sum of the n numbers at d_in to d_out[0].
__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    const int lane = (int)(threadIdx.x % WARP), left = (int)(blockDim.x - threadIdx.x);
    const int first = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (lane != 0) return;
    float sum = 0.0F;
    for (int i = 0; i < WARP && i < left && first + i < n; i++)
        sum += d_in[first + i];
    atomicAdd(d_out, sum);
}

// Leaves the sum of the n numbers at d_in in d_out[0], by blocks of so many threads; n >= 0.
void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    const int blocks = (n + threads - 1) / threads;
    grid_sum_kernel<<<blocks, threads>>>(d_out, d_in, n); // expect: not-as-asked
    CHECK(cudaGetLastError());
}
// told: exchange
