// Lesson 29: every number less the mean of all, in one launch. Tiles of 32 threads add up, the whole grid
// waits, and then every thread knows the sum.

#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

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

enum { TILE = 32, THREADS = 256 };
typedef cg::thread_block_tile<TILE> Tile;

// The sum of `mine` over the threads of the tile, in its thread 0. All of them must call it.
__device__ float tile_sum(const Tile &tile, float mine) {
    // [tile]
    for (int apart = TILE / 2; apart > 0; apart /= 2)
        mine += tile.shfl_down(mine, apart);
    return mine;
    // [/tile]
}

// Leaves x less its mean in y. *d_sum is 0 at first.
__global__ void center_kernel(float *y, const float *x, float *d_sum, int n) {
    const cg::grid_group grid = cg::this_grid();
    const Tile tile = cg::tiled_partition<TILE>(cg::this_thread_block());
    const int first = (int)grid.thread_rank();
    const int stride = (int)grid.size();
    // [before]
    float mine = 0.0f;
    for (int i = first; i < n; i += stride)
        mine += x[i];
    mine = tile_sum(tile, mine);
    if (tile.thread_rank() == 0) atomicAdd(d_sum, mine);
    // [/before]
    // [sync]
    grid.sync(); // all tiles of all blocks have added their sums
    // [/sync]
    // [after]
    const float mean = *d_sum / (float)stride;
    for (int i = first; i < n; i += stride)
        y[i] = x[i] - mean; // expect: wrong-answer
    // [/after]
}

// As many blocks as n numbers need, and no more than the device can hold at once: all of a grid that waits
// for itself must be there.
static int blocks_at_once(int n) {
    const int needed = (n + THREADS - 1) / THREADS;
    // [blocks]
    int device = 0, processors = 0, each = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, center_kernel, THREADS, 0));
    return needed < each * processors ? needed : each * processors;
    // [/blocks]
}

// Leaves in d_y the n numbers of d_x less their mean. Both are on the device; n may be 0.
void center(float *d_y, const float *d_x, int n) {
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    const int blocks = blocks_at_once(n);
    float *d_sum = NULL;
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMemset(d_sum, 0, sizeof(float)));
    // [launch]
    const void *kernel = (const void *)center_kernel;
    void *arguments[] = {&d_y, &d_x, &d_sum, &n};
    CHECK(cudaLaunchCooperativeKernel(kernel, blocks, THREADS, arguments, 0, 0));
    // [/launch]
    CHECK(cudaFree(d_sum)); // which waits for the kernel
}
// told: divided-by-threads
