// Lesson 19, for show: each lane asks for its own value, and all of them add to the result.

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

__device__ float warp_sum(float value) {
    const unsigned all_lanes = 0xffffffffU; // a bit for each lane
    return __shfl_sync(all_lanes, value, (int)threadIdx.x % WARP);
}

// Each block adds up its own part of d_in and adds that sum to *d_out. Blocks are whole warps.
__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const float number = warp_sum(i < n ? d_in[i] : 0.0F);
    if (i < n) atomicAdd(d_out, number);
}

// Leaves in *d_out the sum of the n numbers at d_in, both on the device; n >= 0. `threads` is from 1 to 1024.
void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    threads = (threads + WARP - 1) / WARP * WARP;
    const int blocks = (n + threads - 1) / threads;
    grid_sum_kernel<<<blocks, threads>>>(d_out, d_in, n); // expect: not-as-asked
    CHECK(cudaGetLastError());
}
// told: exchange
