// Lesson 25, another shape: always 256 blocks, whatever n is.

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

enum { BINS = 256, THREADS = 256, BLOCKS = 256 };

__global__ void histogram_kernel(unsigned *d_bins, const unsigned char *d_data, int n) {
    __shared__ unsigned bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += BLOCKS * THREADS)
        atomicAdd(&bins[d_data[i]], 1U);
    __syncthreads();
    atomicAdd(&d_bins[threadIdx.x], bins[threadIdx.x]);
}

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
    histogram_kernel<<<BLOCKS, THREADS>>>(d_bins, d_data, n);
    CHECK(cudaGetLastError());
}
