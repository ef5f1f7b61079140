// Lesson 24, another way: 128 blocks, each with one stretch of the numbers. They add theirs up first, then
// one block scans the 128 sums, and then each block scans its stretch, piece by piece, from its offset on.

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
const int THREADS = 128; // of a block, and the number of blocks

// Scans the block's values; every thread gets its own running sum.
__device__ int block_scan(int *temp, int value) {
    const int tid = (int)threadIdx.x;
    temp[tid] = value;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        const int before = tid >= distance ? temp[tid - distance] : 0;
        __syncthreads();
        temp[tid] += before;
        __syncthreads();
    }
    return temp[tid];
}

__global__ void sums_kernel(int *d_sums, const int *d_in, int n, int stretch) {
    __shared__ int temp[THREADS];
    const int first = (int)blockIdx.x * stretch;
    const int end = min(first + stretch, n);
    int sum = 0;
    for (int i = first + (int)threadIdx.x; i < end; i += THREADS)
        sum += d_in[i];
    const int all = block_scan(temp, sum);
    if (threadIdx.x == THREADS - 1) d_sums[blockIdx.x] = all;
}

__global__ void scan_sums_kernel(int *d_sums) {
    __shared__ int temp[THREADS];
    d_sums[threadIdx.x] = block_scan(temp, d_sums[threadIdx.x]);
}

__global__ void scan_stretch_kernel(int *d_out, const int *d_sums, const int *d_in, int n, int stretch) {
    __shared__ int temp[THREADS];
    const int start = (int)blockIdx.x * stretch;
    const int end = min(start + stretch, n);
    int before = blockIdx.x > 0 ? d_sums[blockIdx.x - 1] : 0;
    for (int first = start; first < end; first += THREADS) {
        const int i = first + (int)threadIdx.x;
        const int scanned = block_scan(temp, i < end ? d_in[i] : 0);
        if (i < end) d_out[i] = before + scanned;
        before += temp[THREADS - 1];
        __syncthreads(); // everybody has read it
    }
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int stretch = ((n + THREADS - 1) / THREADS + THREADS - 1) / THREADS * THREADS; // whole pieces
    int *d_sums = NULL;
    CHECK(cudaMalloc(&d_sums, THREADS * sizeof(int)));
    sums_kernel<<<THREADS, THREADS>>>(d_sums, d_in, n, stretch);
    CHECK(cudaGetLastError());
    scan_sums_kernel<<<1, THREADS>>>(d_sums);
    CHECK(cudaGetLastError());
    scan_stretch_kernel<<<THREADS, THREADS>>>(d_out, d_sums, d_in, n, stretch);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}
