// Lesson 11, another way: each warp adds up by shuffles, shared memory holds one sum a warp, the blocks stay
// as they are.

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

const int WARP = 32;
const unsigned ALL_LANES = 0xffffffffU;

__device__ float warp_sum(float value) {
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        value += __shfl_down_sync(ALL_LANES, value, apart);
    return value; // lane 0 has the sum
}

__global__ void partial_sums_kernel(float *d_partial, const float *d_in, int n) {
    __shared__ float warp_sums[WARP];
    const int tid = (int)threadIdx.x;
    const int warps = (int)blockDim.x / WARP;
    const int i = (int)(blockIdx.x * blockDim.x) + tid;
    const float sum = warp_sum(i < n ? d_in[i] : 0.0F);
    if (tid % WARP == 0) warp_sums[tid / WARP] = sum;
    __syncthreads();
    if (tid >= WARP) return;
    const float total = warp_sum(tid < warps ? warp_sums[tid] : 0.0F);
    if (tid == 0) d_partial[blockIdx.x] = total;
}

float grid_sum(const float *d_in, int n, int threads) {
    if (n == 0) return 0.0F;
    const int blocks = (n + threads - 1) / threads;
    const size_t bytes = (size_t)blocks * sizeof(float);
    float *d_partial = NULL;
    CHECK(cudaMalloc(&d_partial, bytes));
    partial_sums_kernel<<<blocks, threads>>>(d_partial, d_in, n);
    CHECK(cudaGetLastError());
    float *h_partial = (float *)malloc(bytes);
    if (h_partial == NULL) exit(EXIT_FAILURE);
    CHECK(cudaMemcpy(h_partial, d_partial, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_partial));
    float sum = 0.0F;
    for (int block = 0; block < blocks; block++)
        sum += h_partial[block];
    free(h_partial);
    return sum;
}
