// Lesson 24, another shape: no recursion: the levels' sums lie one after the other in one allocation.

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

enum { THREADS = 256, MOST_LEVELS = 4 };

__global__ void scan_kernel(int *d_out, int *d_sums, const int *d_in, int n) {
    __shared__ int temp[THREADS];
    const int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
    temp[tid] = i < n ? d_in[i] : 0;
    for (int distance = 1; distance < THREADS; distance *= 2) {
        __syncthreads();
        int before = 0;
        if (tid >= distance) before = temp[tid - distance];
        __syncthreads();
        temp[tid] += before;
    }
    if (i < n) d_out[i] = temp[tid];
    if (tid == THREADS - 1) d_sums[blockIdx.x] = temp[tid];
}

__global__ void add_kernel(int *d_out, const int *d_sums, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= THREADS && i < n) d_out[i] += d_sums[blockIdx.x - 1];
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    int counts[MOST_LEVELS + 1] = {n}, levels = 0, room = 0;
    while (counts[levels] > 1) {
        counts[levels + 1] = (counts[levels] + THREADS - 1) / THREADS;
        room += counts[++levels];
    }
    int *d_room = NULL;
    CHECK(cudaMalloc(&d_room, (room + 1) * sizeof(int)));
    int *d_level[MOST_LEVELS + 1] = {d_out, d_room};
    for (int level = 1; level < levels; level++)
        d_level[level + 1] = d_level[level] + counts[level];
    if (levels == 0) scan_kernel<<<1, THREADS>>>(d_out, d_room, d_in, n);
    for (int level = 0; level < levels; level++) {
        const int *d_from = level == 0 ? d_in : d_level[level];
        scan_kernel<<<counts[level + 1], THREADS>>>(d_level[level], d_level[level + 1], d_from,
                                                    counts[level]);
    }
    for (int level = levels - 2; level >= 0; level--)
        add_kernel<<<counts[level + 1], THREADS>>>(d_level[level], d_level[level + 1], counts[level]);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_room));
}
