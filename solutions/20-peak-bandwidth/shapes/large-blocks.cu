// Lesson 20, another shape: blocks of 1,024 threads, each of which takes a stretch of its own.

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

enum { THREADS = 1024, WARP = 32, STRETCH = 8 * THREADS };

__device__ float warp_sum(float value) {
    for (int apart = 1; apart < WARP; apart *= 2)
        value += __shfl_xor_sync(0xffffffffU, value, apart);
    return value;
}

__global__ void peak_sum_kernel(float *d_out, const float *d_in, int head, int fours, int n) {
    __shared__ float sums[WARP];
    const float4 *d_fours = (const float4 *)(d_in + head);
    const int end = min(fours, (int)(blockIdx.x + 1) * STRETCH / 4);
    float own = 0.0F;
    if (blockIdx.x == 0 && (int)threadIdx.x < head) own += d_in[threadIdx.x];
    if (blockIdx.x == 0 && head + 4 * fours + (int)threadIdx.x < n)
        own += d_in[head + 4 * fours + threadIdx.x];
    for (int i = blockIdx.x * (STRETCH / 4) + threadIdx.x; i < end; i += THREADS) {
        const float4 four = __ldg(&d_fours[i]);
        own += four.x + four.y + four.z + four.w;
    }
    own = warp_sum(own);
    if (threadIdx.x % WARP == 0) sums[threadIdx.x / WARP] = own;
    __syncthreads();
    if (threadIdx.x >= WARP) return;
    own = warp_sum(sums[threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(d_out, own);
}

void peak_sum(float *d_out, const float *d_in, int n) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    const int past = (uintptr_t)d_in / 4 % 4;
    int head = (4 - past) % 4;
    if (head > n) head = n;
    peak_sum_kernel<<<n / STRETCH + 1, THREADS>>>(d_out, d_in, head, (n - head) / 4, n);
    CHECK(cudaGetLastError());
}
