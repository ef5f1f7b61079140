// Lesson 25, another shape: the block's group waits; the bins lie in dynamic shared memory, and a kernel of
// its own zeroes the result.

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
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
enum { BINS = 256, THREADS = 192, EACH = 32 };

__global__ void zero_kernel(unsigned *d_bins) {
    d_bins[threadIdx.x] = 0;
}

__device__ void count(unsigned *bin) {
    atomicAdd(bin, 1U);
}

__global__ void histogram_kernel(unsigned *d_bins, const unsigned char *d_data, int n) {
    extern __shared__ unsigned bins[];
    const cg::thread_block block = cg::this_thread_block();
    for (int bin = (int)block.thread_rank(); bin < BINS; bin += (int)block.size())
        bins[bin] = 0;
    block.sync();
    for (int i = (int)cg::this_grid().thread_rank(); i < n; i += (int)cg::this_grid().size())
        count(&bins[d_data[i]]);
    block.sync();
    for (int bin = (int)block.thread_rank(); bin < BINS; bin += (int)block.size())
        atomicAdd(&d_bins[bin], bins[bin]);
}

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    zero_kernel<<<1, BINS>>>(d_bins);
    CHECK(cudaGetLastError());
    if (n == 0) return;
    histogram_kernel<<<(n - 1) / (THREADS * EACH) + 1, THREADS, BINS * sizeof(unsigned)>>>(d_bins, d_data, n);
    CHECK(cudaGetLastError());
}
