// Wrong in place: the second kernel adds the input, where the first has left its own numbers.

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
const int THREADS = 512; // of a block, and the numbers that it scans

// Each block leaves at each number the sum of those before it in the block, and in d_sums the sum of all.
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
    if (i < n) d_out[i] = tid > 0 ? temp[tid - 1] : 0; // what is before it in the block
    if (tid == THREADS - 1) d_sums[blockIdx.x] = temp[tid];
}

// Adds to each number its own, and the scanned sums of the blocks before its block.
__global__ void add_sums_kernel(int *d_out, const int *d_sums, const int *d_in, int n) {
    const int i = (int)blockIdx.x * THREADS + (int)threadIdx.x;
    if (i < n) d_out[i] += d_in[i] + (blockIdx.x > 0 ? d_sums[blockIdx.x - 1] : 0); // expect: wrong-answer
}

// Leaves in d_out[i] the sum of d_in[0] to d_in[i], both on the device; n >= 0. The two may be the same
// array.
void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int blocks = (n + THREADS - 1) / THREADS;
    int *d_sums = NULL;
    int *d_kept = NULL; // of a block's sums, which are scanned in place
    CHECK(cudaMalloc(&d_sums, 2 * (size_t)blocks * sizeof(int)));
    d_kept = d_sums + blocks;
    scan_blocks_kernel<<<blocks, THREADS>>>(d_out, d_kept, d_in, n);
    CHECK(cudaGetLastError());
    if (blocks > 1) inclusive_scan(d_sums, d_kept, blocks);
    add_sums_kernel<<<blocks, THREADS>>>(d_out, d_sums, d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}
