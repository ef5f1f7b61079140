// Lesson 19, a typical mistake: all lanes of the first warp add what they have; only lane 0 has the sum.

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

// The sum of the values of all 32 lanes, in lane 0. All lanes must call it.
__device__ float warp_sum(float value) {
    const unsigned all_lanes = 0xffffffffU; // a bit for each lane
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        value += __shfl_down_sync(all_lanes, value, apart);
    return value;
}

// Each block adds up its own part of d_in and adds that sum to *d_out. Blocks are whole warps.
__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    __shared__ float warp_sums[WARP]; // 1024 threads are 32 warps
    const int lane = (int)threadIdx.x % WARP;
    const int warp = (int)threadIdx.x / WARP;
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const float sum = warp_sum(i < n ? d_in[i] : 0.0F);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    if (warp > 0) return; // whole warps leave
    const int warps = (int)blockDim.x / WARP;
    const float total = warp_sum(lane < warps ? warp_sums[lane] : 0.0F);
    atomicAdd(d_out, total); // expect: wrong-answer
}

// Leaves in *d_out the sum of the n numbers at d_in, both on the device; n >= 0. `threads` is from 1 to 1024.
void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    threads = (threads + WARP - 1) / WARP * WARP;
    const int blocks = (n + threads - 1) / threads;
    grid_sum_kernel<<<blocks, threads>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
// told: all-lanes-add
