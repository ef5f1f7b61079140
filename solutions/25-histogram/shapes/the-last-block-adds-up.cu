// Lesson 25, another shape: the blocks leave their bins, and the one that comes last adds them all up.

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

enum { BINS = 256, THREADS = 256, PART = 8192 };
__device__ unsigned arrived;

__global__ void histogram_kernel(unsigned *d_bins, unsigned *d_parts, const unsigned char *d_data, int n) {
    __shared__ unsigned bins[BINS];
    __shared__ bool last;
    const int tid = threadIdx.x;
    bins[tid] = 0;
    __syncthreads();
    for (int i = blockIdx.x * PART + tid; i < min(n, (int)(blockIdx.x + 1) * PART); i += THREADS)
        atomicAdd(&bins[d_data[i]], 1U);
    __syncthreads();
    d_parts[blockIdx.x * BINS + tid] = bins[tid];
    __threadfence();
    __syncthreads();
    if (tid == 0) last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    unsigned sum = 0;
    for (unsigned part = 0; part < gridDim.x; part++)
        sum += d_parts[part * BINS + tid];
    d_bins[tid] = sum;
}

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    const int blocks = n / PART + 1;
    unsigned *d_parts = NULL;
    CHECK(cudaMalloc(&d_parts, blocks * BINS * sizeof(unsigned)));
    histogram_kernel<<<blocks, THREADS>>>(d_bins, d_parts, d_data, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_parts));
}
