// Lesson 24: running sums of n numbers. Each block scans its part; the blocks' sums are scanned in the same
// way and added.

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
    // Your turn: bring the block's numbers to shared memory; in each round every thread adds the number that stands
    // 1, then 2, then 4 places before it, and so on. The last thread has the sum of the block
}

// Adds to each number the scanned sums of the blocks before its own. Block 0 has none before it.
__global__ void add_sums_kernel(int *d_out, const int *d_sums, int n) {
    // Your turn: the sum of all blocks before block b stands in d_sums[b - 1]
}

// Leaves in d_out[i] the sum of d_in[0] to d_in[i], both on the device; n >= 0. The two may be the same
// array.
void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int blocks = (n + THREADS - 1) / THREADS;
    int *d_sums = NULL;
    // Your turn: make room for the blocks' sums, unless there is one block only
    scan_blocks_kernel<<<blocks, THREADS>>>(d_out, d_sums, d_in, n);
    CHECK(cudaGetLastError());
    // Your turn: scan the blocks' sums (there may be many), add them, and free them
}
