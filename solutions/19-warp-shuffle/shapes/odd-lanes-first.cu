// Lesson 19, another shape: pairs are added first, by exclusive or, and the block's total is made by an
// atomic operation in shared memory.

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

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0.0F;
    __syncthreads();
    float sum = 0.0F;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += d_in[i];
    for (int apart = 1; apart < WARP; apart *= 2)
        sum += __shfl_xor_sync(0xffffffffU, sum, apart);
    if (threadIdx.x % WARP == 0) atomicAdd(&total, sum);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(d_out, total);
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    const int whole = (threads + WARP - 1) / WARP * WARP;
    const int needed = (n + whole - 1) / whole, blocks = needed < 64 ? needed : 64;
    if (blocks > 0) grid_sum_kernel<<<blocks, whole>>>(d_out, d_in, n); // expect-note: over-budget barriers
    CHECK(cudaGetLastError());
}
