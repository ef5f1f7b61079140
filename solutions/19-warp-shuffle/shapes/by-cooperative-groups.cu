// Lesson 19, another shape: the warps add up by cg::reduce, and one thread of each block adds the block's
// sum.

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
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
enum { WARP = 32 };

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    __shared__ float sums[WARP];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<WARP> warp = cg::tiled_partition<WARP>(block);
    const int i = (int)cg::this_grid().thread_rank();
    const float sum = cg::reduce(warp, i < n ? d_in[i] : 0.0F, cg::plus<float>());
    if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() != 0) return;
    const bool exists = warp.thread_rank() < warp.meta_group_size();
    const float total = cg::reduce(warp, exists ? sums[warp.thread_rank()] : 0.0F, cg::plus<float>());
    if (warp.thread_rank() == 0) atomicAdd(d_out, total);
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    const int whole = (threads + WARP - 1) / WARP * WARP;
    grid_sum_kernel<<<(n + whole - 1) / whole, whole>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
