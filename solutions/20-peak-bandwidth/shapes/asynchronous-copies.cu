// Lesson 20, another shape: a block brings its part to shared memory by asynchronous copies of 16 bytes, and
// adds it up there.

#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cuda_pipeline.h>
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

enum { THREADS = 256, WARP = 32, FOURS = 4 * THREADS };

__global__ void peak_sum_kernel(float *d_out, const float *d_in, int head, int fours, int n) {
    __shared__ float4 part[FOURS];
    const float4 *d_fours = (const float4 *)(d_in + head);
    const int first = blockIdx.x * FOURS, tid = threadIdx.x;
    float own = 0.0F;
    for (int i = tid; i < FOURS && first + i < fours; i += THREADS)
        __pipeline_memcpy_async(&part[i], &d_fours[first + i], sizeof(float4));
    __pipeline_commit();
    if (blockIdx.x == 0 && tid < head) own += d_in[tid];
    if (blockIdx.x == 0 && head + 4 * fours + tid < n) own += d_in[head + 4 * fours + tid];
    __pipeline_wait_prior(0);
    for (int i = tid; i < FOURS && first + i < fours; i += THREADS)
        own += (part[i].x + part[i].y) + (part[i].z + part[i].w);
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        own += __shfl_down_sync(0xffffffffU, own, apart);
    if (tid % WARP == 0) atomicAdd(d_out, own);
}

void peak_sum(float *d_out, const float *d_in, int n) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    int head = (int)(-(uintptr_t)d_in % 16 / 4);
    if (head > n) head = n;
    const int fours = (n - head) / 4;
    peak_sum_kernel<<<fours / FOURS + 1, THREADS>>>(d_out, d_in, head, fours, n);
    CHECK(cudaGetLastError());
}
