// Lesson 24, a typical mistake: the last of the scanned sums is added, which is that of all blocks.

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
const int THREADS = 256; // of a block, and the numbers that it scans

// Each block scans its own THREADS numbers, and leaves their sum in d_sums unless that is NULL.
__global__ void scan_blocks_kernel(int *d_out, int *d_sums, const int *d_in, int n) {
    __shared__ int temp[THREADS];
    const int tid = (int)threadIdx.x;
    const int i = (int)blockIdx.x * THREADS + tid;
    temp[tid] = i < n ? d_in[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        const int before = tid >= distance ? temp[tid - distance] : 0;
        __syncthreads(); // everybody has read
        temp[tid] += before;
        __syncthreads(); // everybody has written
    }
    if (i < n) d_out[i] = temp[tid];
    if (tid == THREADS - 1 && d_sums != NULL) d_sums[blockIdx.x] = temp[tid];
}

// Adds to each number the scanned sums of the blocks before its own. Block 0 has none before it.
__global__ void add_sums_kernel(int *d_out, const int *d_sums, int n) {
    const int i = (int)blockIdx.x * THREADS + (int)threadIdx.x;
    if (i < n && blockIdx.x > 0) d_out[i] += d_sums[(n - 1) / THREADS]; // expect: wrong-answer
}

// Leaves in d_out[i] the sum of d_in[0] to d_in[i], both on the device; n >= 0. The two may be the same
// array.
void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int blocks = (n + THREADS - 1) / THREADS;
    int *d_sums = NULL;
    if (blocks > 1) CHECK(cudaMalloc(&d_sums, (size_t)blocks * sizeof(int)));
    scan_blocks_kernel<<<blocks, THREADS>>>(d_out, d_sums, d_in, n);
    CHECK(cudaGetLastError());
    if (blocks == 1) return;
    inclusive_scan(d_sums, d_sums, blocks);
    add_sums_kernel<<<blocks, THREADS>>>(d_out, d_sums, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}
// told: all-blocks-added first-right-256
