// Lesson 25, a typical mistake: the loop ends one byte too early.

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
enum { BINS = 256 };     // one for each value of a byte
const int THREADS = 256; // of a block
const int EACH = 16;     // bytes of a thread, so that a block has many bytes for its 256 bins

// Counts the n bytes at d_data. All threads of the grid take turns: i, i + all threads, ...
__global__ void histogram_kernel(unsigned *d_bins, const unsigned char *d_data, int n) {
    __shared__ unsigned bins[BINS];
    for (int bin = (int)threadIdx.x; bin < BINS; bin += (int)blockDim.x)
        bins[bin] = 0;
    __syncthreads(); // all bins are zero
    const int stride = (int)(gridDim.x * blockDim.x);
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n - 1; i += stride)
        atomicAdd(&bins[d_data[i]], 1U);
    __syncthreads(); // all bytes of the block are counted
    for (int bin = (int)threadIdx.x; bin < BINS; bin += (int)blockDim.x)
        atomicAdd(&d_bins[bin], bins[bin]); // expect: wrong-answer
}

// Leaves in d_bins[v] how many of the n bytes at d_data are v, for v from 0 to 255; n >= 0.
void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
    if (n == 0) return; // a grid of 0 blocks cannot be launched
    const int blocks = (n + THREADS * EACH - 1) / (THREADS * EACH);
    histogram_kernel<<<blocks, THREADS>>>(d_bins, d_data, n);
    CHECK(cudaGetLastError());
}
// told: last-lost
