// Lesson 20, another shape: the block adds up in shared memory, with a barrier in every round.

#include <cstdio>
#include <cstdlib>
#include <cstdint>
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

enum { THREADS = 256, EACH = 32 };

__device__ float block_sum(float value) {
    __shared__ float sums[THREADS];
    sums[threadIdx.x] = value;
    for (int apart = THREADS / 2; apart > 0; apart /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < apart) sums[threadIdx.x] += sums[threadIdx.x + apart];
    }
    return threadIdx.x == 0 ? sums[0] : 0.0F;
}

__global__ void peak_sum_kernel(float *d_out, const float *d_in, int n) {
    const int thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    const int head = min(n, (int)(-(uintptr_t)d_in % 16 / 4));
    const float4 *d_fours = (const float4 *)(d_in + head);
    const int fours = (n - head) / 4, tail = head + 4 * fours;
    float own = 0.0F;
    if (thread < head) own += d_in[thread];
    if (thread < n - tail) own += d_in[tail + thread];
#pragma unroll 4
    for (int i = thread; i < fours; i += threads) {
        const float4 four = d_fours[i];
        own += four.x + four.y + four.z + four.w;
    }
    const float sum = block_sum(own);
    if (threadIdx.x == 0) atomicAdd(d_out, sum);
}

void peak_sum(float *d_out, const float *d_in, int n) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    peak_sum_kernel<<<(n - 1) / (THREADS * EACH) + 1, THREADS>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
