// Lesson 25, another shape: a thread reads 16 bytes in one request.

#include <cstdio>
#include <cstdlib>
#include <cstdint>
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

enum { BINS = 256, THREADS = 128 };

__device__ void count_word(unsigned *bins, unsigned word) {
    for (int byte = 0; byte < 4; byte++)
        atomicAdd(&bins[word >> (8 * byte) & 0xffU], 1U);
}

__global__ void histogram_kernel(unsigned *d_bins, const unsigned char *d_data, int head, int n) {
    __shared__ unsigned bins[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS)
        bins[bin] = 0;
    __syncthreads();
    const int thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    const uint4 *d_pieces = (const uint4 *)(d_data + head);
    const int pieces = (n - head) / 16, tail = head + 16 * pieces;
    for (int i = thread; i < pieces; i += threads) {
        const uint4 piece = d_pieces[i];
        count_word(bins, piece.x);
        count_word(bins, piece.y);
        count_word(bins, piece.z);
        count_word(bins, piece.w);
    }
    if (thread < head) atomicAdd(&bins[d_data[thread]], 1U);
    if (thread < n - tail) atomicAdd(&bins[d_data[tail + thread]], 1U);
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS)
        atomicAdd(&d_bins[bin], bins[bin]);
}

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
    if (n == 0) return;
    int head = (int)(-(uintptr_t)d_data % 16);
    if (head > n) head = n;
    histogram_kernel<<<n / (THREADS * 64) + 1, THREADS>>>(d_bins, d_data, head, n);
    CHECK(cudaGetLastError());
}
