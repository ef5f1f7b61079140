// Lesson 25, another shape: bins that counted nothing are not merged.

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

enum { BINS = 256, THREADS = 256, EACH = 16 };

__global__ void histogram_kernel(unsigned *d_bins, const unsigned char *d_data, int n) {
    __shared__ unsigned bins[BINS];
    const int tid = threadIdx.x;
    bins[tid] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + tid; i < n; i += gridDim.x * THREADS)
        atomicAdd(&bins[d_data[i]], 1U);
    __syncthreads();
    if (bins[tid] > 0) atomicAdd(&d_bins[tid], bins[tid]);
}

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
    if (n == 0) return;
    histogram_kernel<<<(n - 1) / (THREADS * EACH) + 1, THREADS>>>(d_bins, d_data, n);
    CHECK(cudaGetLastError());
}
