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

enum { MOST_THREADS = 1024 };

// Adds to d_sums[g] all numbers of group g.
// [columns]
__global__ void __launch_bounds__(MOST_THREADS)
    group_sums_kernel(float *d_sums, const int *d_groups, const float *d_values, int n) {
    const int first = (int)(blockIdx.x * blockDim.x + threadIdx.x), stride = (int)(gridDim.x * blockDim.x);
    for (int i = first; i < n; i += stride)
        atomicAdd(&d_sums[d_groups[i]], d_values[i]);
}
// [/columns]

// Leaves in d_sums[g] the sum of those d_values[i] whose d_groups[i] is g, for each of the groups 0 to
// groups - 1. There are n numbers; n may be 0, groups is 1 to 384. All arrays are on the device.
void group_sums(float *d_sums, const int *d_groups, const float *d_values, int n, int groups) {
    CHECK(cudaMemsetAsync(d_sums, 0, (size_t)groups * sizeof(float)));
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    // [ask]
    int threads = 0, resident = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&resident, &threads, group_sums_kernel));
    const int needed = (n + threads - 1) / threads;
    const int blocks = needed < resident ? needed : resident;
    // [/ask]
    // [launch]
    group_sums_kernel<<<blocks, threads>>>(d_sums, d_groups, d_values, n); // expect: over-budget
    CHECK(cudaGetLastError());
    // [/launch]
}
