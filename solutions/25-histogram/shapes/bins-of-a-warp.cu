// Lesson 25, another shape: each warp counts in bins of its own; the block adds them up, and merges what is
// not zero.

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

enum { BINS = 256, WARPS = 8, THREADS = 32 * WARPS };

__global__ void histogram_kernel(unsigned *d_bins, const unsigned char *d_data, int n) {
    __shared__ unsigned bins[WARPS][BINS];
    const int tid = threadIdx.x;
    for (int i = tid; i < WARPS * BINS; i += THREADS)
        (&bins[0][0])[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + tid; i < n; i += gridDim.x * THREADS)
        atomicAdd(&bins[tid / 32][d_data[i]], 1U);
    __syncthreads();
    unsigned sum = 0;
    for (int warp = 0; warp < WARPS; warp++)
        sum += bins[warp][tid];
    if (sum != 0) atomicAdd(&d_bins[tid], sum);
}

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
    if (n == 0) return;
    const int blocks = n / (THREADS * 64) + 1;
    histogram_kernel<<<blocks, THREADS>>>(d_bins, d_data, n);
    CHECK(cudaGetLastError());
}
