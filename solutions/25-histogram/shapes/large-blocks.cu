// Lesson 25, another shape: blocks of 1,024 threads, of which the first 256 zero and merge.

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

enum { BINS = 256, THREADS = 1024, PART = 8192 };

__global__ void histogram_kernel(unsigned *d_bins, const unsigned char *d_data, int n) {
    __shared__ unsigned bins[BINS];
    if (threadIdx.x < BINS) bins[threadIdx.x] = 0;
    __syncthreads();
    const int first = blockIdx.x * PART, end = min(n, first + PART);
    for (int i = first + threadIdx.x; i < end; i += THREADS)
        atomicAdd(&bins[d_data[i]], 1U);
    __syncthreads();
    if (threadIdx.x < BINS) atomicAdd(&d_bins[threadIdx.x], bins[threadIdx.x]);
}

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
    if (n == 0) return;
    histogram_kernel<<<(n + PART - 1) / PART, THREADS>>>(d_bins, d_data, n);
    CHECK(cudaGetLastError());
}
