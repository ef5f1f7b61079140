// Lesson 27: the sum of each group of numbers. Each thread adds to a column of its own in shared memory, so
// that the memory of a block depends on its threads and on the groups: the runtime is asked what fits.

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

enum { WARP = 32, MOST_THREADS = 1024 };

// Adds to d_sums[g] all numbers of group g. Thread t of a block has its own sum of group g in
// columns[g * threads + t]. Blocks are whole warps.
// [columns]
__global__ void __launch_bounds__(MOST_THREADS)
    group_sums_kernel(float *d_sums, const int *d_groups, const float *d_values, int n, int groups) {
    extern __shared__ float columns[];
    const int threads = (int)blockDim.x, thread = (int)threadIdx.x;
    const int first = (int)blockIdx.x * threads + thread;
    for (int group = 0; group < groups; group++)
        columns[group * threads + thread] = 0.0f;
    // [/columns]
    // [numbers]
    const int stride = (int)gridDim.x * threads;
    for (int i = first; i < n; i += stride)
        columns[d_groups[i] * threads + thread] += d_values[i];
    // [/numbers]
    // [rows]
    __syncthreads();
    const int lane = thread % WARP;
    for (int group = thread / WARP; group < groups; group += threads / WARP) {
        float sum = 0.0f;
        sum += columns[group * threads + lane];
        for (int apart = WARP / 2; apart > 0; apart /= 2)
            sum += __shfl_down_sync(0xffffffffU, sum, apart);
        if (lane == 0) atomicAdd(&d_sums[group], sum); // expect: wrong-answer
    }
}
// [/rows]

// The shared memory of a block, as a function of its threads: SharedBytes{groups}(threads).
struct SharedBytes {
    int groups;
    __host__ __device__ size_t operator()(int threads) const {
        return (size_t)threads * (size_t)groups * sizeof(float);
    }
};

// Leaves in d_sums[g] the sum of those d_values[i] whose d_groups[i] is g, for each of the groups 0 to
// groups - 1. There are n numbers; n may be 0, groups is 1 to 384. All arrays are on the device.
void group_sums(float *d_sums, const int *d_groups, const float *d_values, int n, int groups) {
    CHECK(cudaMemsetAsync(d_sums, 0, (size_t)groups * sizeof(float)));
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    // [ask]
    int threads = 0, resident = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&resident, &threads, group_sums_kernel,
                                                         SharedBytes{groups}));
    const int needed = (n + threads - 1) / threads;
    const int blocks = needed < resident ? needed : resident;
    // [/ask]
    // [launch]
    const size_t bytes = SharedBytes{groups}(threads);
    group_sums_kernel<<<blocks, threads, bytes>>>(d_sums, d_groups, d_values, n, groups);
    CHECK(cudaGetLastError());
    // [/launch]
}
// told: first-warp
