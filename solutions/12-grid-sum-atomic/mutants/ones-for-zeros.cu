// Lesson 12, a typical mistake: cudaMemset puts its value into each byte, and 1 makes a tiny number, not 0.

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

// Each block adds up its own part of d_in and adds that sum to *d_out.
__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    extern __shared__ float temp[];
    const int tid = (int)threadIdx.x;
    const int i = (int)(blockIdx.x * blockDim.x) + tid;
    temp[tid] = i < n ? d_in[i] : 0.0F;
    for (int d = (int)blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads(); // the step before must be complete
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) atomicAdd(d_out, temp[0]); // read, add and write in one step
}

// Leaves in *d_out the sum of the n numbers at d_in, both on the device; n >= 0. `threads` is a power of two.
void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 1, sizeof(float))); // expect: wrong-answer
    if (n == 0) return;                         // a grid of 0 blocks cannot be launched
    const int blocks = (n + threads - 1) / threads;
    grid_sum_kernel<<<blocks, threads, (size_t)threads * sizeof(float)>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
// told: host-stays
