// Lesson 20, another shape: the blocks leave their sums, and a second kernel adds those.

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

enum { THREADS = 256, EACH = 32, WARP = 32 };

__device__ void block_sum(float *d_out, float value) {
    __shared__ float sums[THREADS / WARP];
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        value += __shfl_xor_sync(0xffffffffU, value, apart);
    sums[threadIdx.x / WARP] = value;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int warp = 1; warp < THREADS / WARP; warp++)
        value += sums[warp];
    *d_out = value;
}

__global__ void partial_kernel(float *d_sums, const float *d_in, int n) {
    const int thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    const int head = min(n, (int)(-(uintptr_t)d_in % 16 / 4));
    const float4 *d_fours = (const float4 *)(d_in + head);
    const int fours = (n - head) / 4, tail = head + 4 * fours;
    float own = 0.0F;
    if (thread < head) own = d_in[thread];
    if (thread < n - tail) own += d_in[tail + thread];
    for (int i = thread; i < fours; i += threads) {
        const float4 four = d_fours[i];
        own += (four.x + four.y) + (four.z + four.w);
    }
    block_sum(&d_sums[blockIdx.x], own);
}

__global__ void last_kernel(float *d_out, const float *d_sums, int count) {
    float own = 0.0F;
    for (int i = threadIdx.x; i < count; i += THREADS)
        own += d_sums[i];
    block_sum(d_out, own);
}

void peak_sum(float *d_out, const float *d_in, int n) {
    const int blocks = n == 0 ? 0 : (n - 1) / (THREADS * EACH) + 1;
    float *d_sums = NULL;
    CHECK(cudaMalloc(&d_sums, (blocks + 1) * sizeof(float)));
    if (blocks > 0) partial_kernel<<<blocks, THREADS>>>(d_sums, d_in, n);
    CHECK(cudaGetLastError());
    last_kernel<<<1, THREADS>>>(d_out, d_sums, blocks); // expect-note: over-budget launches
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}
