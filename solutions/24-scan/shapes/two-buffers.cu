// Lesson 24, another shape: in each round the threads read one array and write the other, with one barrier.

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

enum { THREADS = 512 };

__global__ void scan_kernel(int *d_out, int *d_sums, const int *d_in, int n) {
    __shared__ int temp[2][THREADS];
    const int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
    int now = 0;
    temp[now][tid] = i < n ? d_in[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        temp[1 - now][tid] = temp[now][tid] + (tid >= distance ? temp[now][tid - distance] : 0);
        now = 1 - now;
        __syncthreads();
    }
    if (i < n) d_out[i] = temp[now][tid];
    if (d_sums != NULL && tid == THREADS - 1) d_sums[blockIdx.x] = temp[now][tid];
}

__global__ void add_kernel(int *d_out, const int *d_sums, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n && blockIdx.x > 0) d_out[i] += d_sums[blockIdx.x - 1];
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int blocks = (n + THREADS - 1) / THREADS;
    int *d_sums = NULL;
    CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
    scan_kernel<<<blocks, THREADS>>>(d_out, d_sums, d_in, n);
    CHECK(cudaGetLastError());
    if (blocks > 1) {
        inclusive_scan(d_sums, d_sums, blocks);
        add_kernel<<<blocks, THREADS>>>(d_out, d_sums, n);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaFree(d_sums));
}
