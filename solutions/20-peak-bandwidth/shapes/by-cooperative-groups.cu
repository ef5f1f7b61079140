// Lesson 20, another shape: the warps add up by cg::reduce, and each adds its own sum to the result.

#include <cstdio>
#include <cstdlib>
#include <cstdint>
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
enum { THREADS = 128, EACH = 32 };

__device__ float add(float4 four) {
    return (four.x + four.y) + (four.z + four.w);
}

__global__ void peak_sum_kernel(float *d_out, const float *d_in, int n) {
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int thread = (int)cg::this_grid().thread_rank(), threads = (int)cg::this_grid().size();
    const int past = (int)((uintptr_t)d_in % 16 / 4), head = min(n, past == 0 ? 0 : 4 - past);
    const float4 *d_fours = reinterpret_cast<const float4 *>(d_in + head);
    const int fours = (n - head) / 4, rest = n - head - 4 * fours;
    float own = thread < head ? d_in[thread] : 0.0F;
    if (thread < rest) own += d_in[n - 1 - thread];
    for (int i = thread; i < fours; i += threads)
        own += add(d_fours[i]);
    const float sum = cg::reduce(warp, own, cg::plus<float>());
    if (warp.thread_rank() == 0) atomicAdd(d_out, sum);
}

void peak_sum(float *d_out, const float *d_in, int n) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    peak_sum_kernel<<<(n - 1) / (THREADS * EACH) + 1, THREADS>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
