// Lesson 27: the sum of each group of numbers. Each warp adds to a column of its own in shared memory,
// atomically: that takes a 32nd of the memory, and more threads fit.

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

// Adds to d_sums[g] all numbers of group g. Each warp has a column of sums, to which its lanes add
// atomically.
// [columns]
__global__ void __launch_bounds__(MOST_THREADS)
    group_sums_kernel(float *d_sums, const int *d_groups, const float *d_values, int n, int groups) {
    extern __shared__ float columns[];
    const int threads = (int)blockDim.x, thread = (int)threadIdx.x, stride = (int)gridDim.x * threads;
    const int warps = threads / WARP;
    float *column = &columns[thread / WARP * groups];
    for (int i = thread; i < warps * groups; i += threads)
        columns[i] = 0.0f;
    __syncthreads();
    for (int i = (int)blockIdx.x * threads + thread; i < n; i += stride)
        atomicAdd(&column[d_groups[i]], d_values[i]); // lanes of a warp may meet in one group
    __syncthreads();
    for (int group = thread; group < groups; group += threads) {
        float sum = 0.0f;
        for (int warp = 0; warp < warps; warp++)
            sum += columns[warp * groups + group];
        atomicAdd(&d_sums[group], sum);
    }
}
// [/columns]

// The shared memory of a block, as a function of its threads: SharedBytes{groups}(threads).
struct SharedBytes {
    int groups;
    __host__ __device__ size_t operator()(int threads) const {
        return (size_t)(threads / WARP) * (size_t)groups * sizeof(float);
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
