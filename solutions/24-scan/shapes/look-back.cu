// Lesson 24, another shape: one launch: a block waits for the sum of all before it, and passes its own on.

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

enum { THREADS = 256 };

__device__ int take_over(int *d_sums, int *d_flags, int number, int own) {
    int before = 0;
    if (number > 0) {
        while (atomicAdd(&d_flags[number - 1], 0) == 0) {
        }
        __threadfence();
        before = atomicAdd(&d_sums[number - 1], 0);
    }
    atomicExch(&d_sums[number], before + own);
    __threadfence();
    atomicExch(&d_flags[number], 1);
    return before;
}

__global__ void scan_kernel(int *d_out, const int *d_in, int n, int *d_ticket, int *d_sums, int *d_flags) {
    __shared__ int temp[THREADS];
    __shared__ int number, before;
    const int tid = threadIdx.x;
    if (tid == 0) number = atomicAdd(d_ticket, 1);
    __syncthreads();
    const int i = number * THREADS + tid;
    temp[tid] = i < n ? d_in[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        const int other = tid >= distance ? temp[tid - distance] : 0;
        __syncthreads();
        temp[tid] += other;
        __syncthreads();
    }
    if (tid == 0) before = take_over(d_sums, d_flags, number, temp[THREADS - 1]);
    __syncthreads();
    if (i < n) d_out[i] = before + temp[tid];
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int blocks = (n + THREADS - 1) / THREADS;
    int *d_memory = NULL;
    CHECK(cudaMalloc(&d_memory, (2 * blocks + 1) * sizeof(int)));
    CHECK(cudaMemset(d_memory, 0, (2 * blocks + 1) * sizeof(int)));
    scan_kernel<<<blocks, THREADS>>>(d_out, d_in, n, d_memory, d_memory + 1, d_memory + 1 + blocks);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_memory));
}
