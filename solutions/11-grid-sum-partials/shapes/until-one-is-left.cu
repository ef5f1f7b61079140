// Lesson 11, another shape: kernels add up the partial sums, too, until one number is left, which the host copies: no kernel where there
// was only one to begin with.

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

// Each block adds up its part of the n numbers at d_from.
__global__ void partial_sums_kernel(float *d_to, const float *d_from, int n) {
    extern __shared__ float temp[];
    const int tid = (int)threadIdx.x;
    const int i = (int)(blockIdx.x * blockDim.x) + tid;
    temp[tid] = i < n ? d_from[i] : 0.0F;
    for (int d = (int)blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) d_to[blockIdx.x] = temp[0];
}

// The sum of the n numbers at d_in, on the device; n >= 0. A block has `threads` threads, a power of two.
float grid_sum(const float *d_in, int n, int threads) {
    float sum = 0.0F;
    float *d_levels[2] = {NULL, NULL};
    const float *d_left = d_in;
    const int most = (n + threads - 1) / threads;
    for (int turn = 0; n > 1; turn = 1 - turn) {
        const int blocks = (n + threads - 1) / threads;
        if (d_levels[turn] == NULL) CHECK(cudaMalloc(&d_levels[turn], (size_t)most * sizeof(float)));
        partial_sums_kernel<<<blocks, threads, (size_t)threads * sizeof(float)>>>(d_levels[turn], d_left, n);
        CHECK(cudaGetLastError());
        d_left = d_levels[turn];
        n = blocks;
    }
    if (n == 1) CHECK(cudaMemcpy(&sum, d_left, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_levels[0]));
    CHECK(cudaFree(d_levels[1]));
    return sum;
}
