// Lesson 20, another shape: blocks of one warp need no shared memory and no barrier.

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

enum { WARP = 32, EACH = 128 };

__device__ float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void peak_sum_kernel(float *d_out, const float *d_in, int n) {
    const int lane = threadIdx.x, thread = blockIdx.x * WARP + lane, threads = gridDim.x * WARP;
    const int head = min(n, (int)(-(uintptr_t)d_in % 16 / 4));
    const float4 *d_fours = (const float4 *)(d_in + head);
    const int fours = (n - head) / 4, tail = head + 4 * fours;
    float4 own = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
    for (int i = thread; i < fours; i += threads)
        own = own + d_fours[i];
    float sum = (own.x + own.y) + (own.z + own.w);
    if (thread < head) sum += d_in[thread];
    if (thread < n - tail) sum += d_in[tail + thread];
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffffU, sum, apart);
    if (lane == 0) atomicAdd(d_out, sum);
}

void peak_sum(float *d_out, const float *d_in, int n) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    peak_sum_kernel<<<(n - 1) / (WARP * EACH) + 1, WARP>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
