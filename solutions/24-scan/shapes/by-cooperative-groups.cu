// Lesson 24, another shape: warps scan by cg::inclusive_scan, and one block scans all the blocks' sums with a
// running total.

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
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

namespace cg = cooperative_groups;
enum { THREADS = 1024, WARPS = THREADS / 32 };

__device__ int scan_of_block(int own) {
    __shared__ int sums[WARPS];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    own = cg::inclusive_scan(warp, own, cg::plus<int>());
    if (warp.thread_rank() == 31) sums[warp.meta_group_rank()] = own;
    block.sync();
    const int all = cg::inclusive_scan(warp, sums[warp.thread_rank()], cg::plus<int>());
    const int before = warp.shfl(all, max(0, (int)warp.meta_group_rank() - 1));
    block.sync();
    return warp.meta_group_rank() > 0 ? own + before : own;
}

__global__ void scan_kernel(int *d_out, int *d_sums, const int *d_in, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int sum = scan_of_block(i < n ? d_in[i] : 0);
    if (i < n) d_out[i] = sum;
    if (threadIdx.x == THREADS - 1) d_sums[blockIdx.x] = sum;
}

__global__ void sums_kernel(int *d_sums, int count) {
    __shared__ int total;
    int before = 0;
    for (int first = 0; first < count; first += THREADS) {
        const int i = first + threadIdx.x;
        const int sum = before + scan_of_block(i < count ? d_sums[i] : 0);
        if (i < count) d_sums[i] = sum;
        if (threadIdx.x == THREADS - 1) total = sum;
        __syncthreads();
        before = total;
    }
}

__global__ void add_kernel(int *d_out, const int *d_sums, int n) {
    const int i = (blockIdx.x + 1) * THREADS + threadIdx.x;
    if (i < n) d_out[i] += d_sums[blockIdx.x];
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int blocks = (n + THREADS - 1) / THREADS;
    int *d_sums = NULL;
    CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
    scan_kernel<<<blocks, THREADS>>>(d_out, d_sums, d_in, n);
    CHECK(cudaGetLastError());
    if (blocks > 1) {
        sums_kernel<<<1, THREADS>>>(d_sums, blocks);
        CHECK(cudaGetLastError());
        add_kernel<<<blocks - 1, THREADS>>>(d_out, d_sums, n);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaFree(d_sums));
}
