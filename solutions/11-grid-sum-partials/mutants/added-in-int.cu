// Lesson 11, a typical mistake: the host adds the partial sums in int.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <numeric>
#include <vector>
namespace cg = cooperative_groups;
// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

// Warps first, then the first warp adds what they have left.
__global__ void sums(double *partial, const float *in, int n) {
    extern __shared__ float of_warps[];
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += in[i];
    const float of_warp = cg::reduce(warp, mine, cg::plus<float>());
    if (warp.thread_rank() == 0) of_warps[warp.meta_group_rank()] = of_warp;
    block.sync();
    if (warp.meta_group_rank() != 0) return;
    float all = 0;
    if (warp.thread_rank() < warp.meta_group_size()) all = of_warps[warp.thread_rank()];
    all = cg::reduce(warp, all, cg::plus<float>());
    if (warp.thread_rank() == 0) partial[blockIdx.x] = all; // expect: wrong-answer
}

float grid_sum(const float *d_in, int n, int threads) {
    const int blocks = (n + 2 * threads - 1) / (2 * threads);
    if (blocks == 0) return 0;
    double *d_partial;
    std::vector<double> h_partial(blocks);
    const size_t bytes = h_partial.size() * sizeof h_partial[0];
    CHECK(cudaMalloc(&d_partial, bytes));
    sums<<<blocks, threads, threads / 32 * sizeof(float)>>>(d_partial, d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_partial.data(), d_partial, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_partial));
    return (float)std::accumulate(h_partial.begin(), h_partial.end(), 0);
}

// told: made-whole parts
