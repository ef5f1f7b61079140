// Lesson 24, a typical mistake: a block does not carry the sum of one round to the next.

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

// Three steps: sums of pieces, their scan (by the same function), and the pieces' scans on top of it.
enum { WARPS = 4, BLOCK = 32 * WARPS, EACH = 4, PIECE = BLOCK * EACH };

__device__ int warp_scan(int x) {
    const int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d <<= 1) {
        const int before = __shfl_up_sync(0xffffffff, x, d);
        if (lane >= d) x += before;
    }
    return x;
}

// Inclusive over the block; `total` the sum of all.
__device__ int block_scan(int x, int *total) {
    __shared__ int ends[WARPS];
    const int warp = threadIdx.x / 32;
    x = warp_scan(x);
    if (threadIdx.x % 32 == 31) ends[warp] = x;
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < WARPS; w++) {
        if (w < warp) before += ends[w];
        all += ends[w];
    }
    *total = all;
    return before + x;
}

__global__ void piece_sums(int *sums, const int *in, int n) {
    const int first = blockIdx.x * PIECE;
    int sum = 0, all;
    for (int e = 0; e < EACH; e++) {
        const int i = first + e * BLOCK + threadIdx.x;
        if (i < n) sum += in[i];
    }
    block_scan(sum, &all);
    if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

__global__ void piece_scans(int *out, const int *sums, const int *in, int n) {
    int offset = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
    for (int e = 0; e < EACH; e++) {
        const int i = blockIdx.x * PIECE + e * BLOCK + threadIdx.x;
        int all;
        const int scanned = block_scan(i < n ? in[i] : 0, &all);
        if (i < n) out[i] = offset + scanned; // expect: wrong-answer
        __syncthreads();
    }
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int pieces = (n + PIECE - 1) / PIECE;
    int *d_sums = nullptr;
    if (pieces > 1) {
        CHECK(cudaMalloc(&d_sums, pieces * sizeof(int)));
        piece_sums<<<pieces, BLOCK>>>(d_sums, d_in, n);
        CHECK(cudaGetLastError());
        inclusive_scan(d_sums, d_sums, pieces);
    }
    piece_scans<<<pieces, BLOCK>>>(d_out, d_sums, d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}

// told: blocks-before-lost rounds-apart
