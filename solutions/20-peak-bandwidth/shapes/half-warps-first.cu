// Lesson 20, another shape: shared memory takes one sum per warp by an atomic operation of the block.

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

enum { THREADS = 512, EACH = 16 };

__global__ void peak_sum_kernel(float *d_out, const float *d_in, int n) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0.0F;
    __syncthreads();
    const int thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    const int head = min(n, (int)(-(uintptr_t)d_in % 16 / 4));
    const float4 *d_fours = (const float4 *)(d_in + head);
    const int fours = (n - head) / 4, tail = head + 4 * fours;
    float own = 0.0F;
    if (thread < head) own += d_in[thread];
    if (thread < n - tail) own += d_in[tail + thread];
    int i = thread;
    for (; i + threads < fours; i += 2 * threads) {
        const float4 a = d_fours[i], b = d_fours[i + threads];
        own += a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    }
    if (i < fours) {
        const float4 last = d_fours[i];
        own += last.x + last.y + last.z + last.w;
    }
    for (int apart = 16; apart > 0; apart /= 2)
        own += __shfl_down_sync(0xffffffffU, own, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, own);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(d_out, sum);
}

void peak_sum(float *d_out, const float *d_in, int n) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    peak_sum_kernel<<<(n - 1) / (THREADS * EACH) + 1, THREADS>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
