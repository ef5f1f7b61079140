// Lesson 25, another shape: lanes with the same byte elect one that adds for all of them.

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
    bins[threadIdx.x] = 0;
    __syncthreads();
    const int lane = threadIdx.x % 32;
    for (int first = blockIdx.x * THREADS; first < n; first += gridDim.x * THREADS) {
        const int i = first + threadIdx.x;
        const int value = i < n ? d_data[i] : BINS;
        const unsigned same = __match_any_sync(0xffffffffU, value);
        if (value < BINS && __ffs((int)same) - 1 == lane) atomicAdd(&bins[value], (unsigned)__popc(same));
    }
    __syncthreads();
    atomicAdd(&d_bins[threadIdx.x], bins[threadIdx.x]);
}

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
    if (n == 0) return;
    histogram_kernel<<<(n - 1) / (THREADS * EACH) + 1, THREADS>>>(d_bins, d_data, n);
    CHECK(cudaGetLastError());
}
