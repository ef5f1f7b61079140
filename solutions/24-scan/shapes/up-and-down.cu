// Lesson 24, another shape: Blelloch's tree: sums on the way up, beginnings on the way down.

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

__global__ void scan_kernel(int *d_out, int *d_sums, const int *d_in, int n) {
    __shared__ int temp[THREADS];
    const int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
    const int own = i < n ? d_in[i] : 0;
    temp[tid] = own;
    for (int stride = 1; stride < THREADS; stride *= 2) {
        __syncthreads();
        const int right = (tid + 1) * stride * 2 - 1;
        if (right < THREADS) temp[right] += temp[right - stride];
    }
    __syncthreads();
    if (tid == 0 && d_sums != NULL) d_sums[blockIdx.x] = temp[THREADS - 1];
    __syncthreads();
    if (tid == 0) temp[THREADS - 1] = 0;
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        const int right = (tid + 1) * stride * 2 - 1;
        if (right >= THREADS) continue;
        const int left = temp[right - stride];
        temp[right - stride] = temp[right];
        temp[right] += left;
    }
    __syncthreads();
    if (i < n) d_out[i] = temp[tid] + own;
}

__global__ void add_kernel(int *d_out, const int *d_sums, int n) {
    const int i = (blockIdx.x + 1) * THREADS + threadIdx.x;
    if (i < n) d_out[i] += d_sums[blockIdx.x];
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int blocks = (n + THREADS - 1) / THREADS;
    int *d_sums = NULL;
    if (blocks > 1) CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
    scan_kernel<<<blocks, THREADS>>>(d_out, d_sums, d_in, n);
    CHECK(cudaGetLastError());
    if (blocks == 1) return;
    inclusive_scan(d_sums, d_sums, blocks);
    add_kernel<<<blocks - 1, THREADS>>>(d_out, d_sums, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}
