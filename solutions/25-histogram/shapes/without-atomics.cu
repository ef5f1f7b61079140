// Lesson 25, another shape: each thread of a warp has bins of 16 bits of its own, and a second kernel adds up
// what the blocks leave.

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

enum { BINS = 256, THREADS = 32, PART = 4096 };

__global__ void count_kernel(unsigned *d_parts, const unsigned char *d_data, int n) {
    __shared__ unsigned short bins[BINS][THREADS];
    const int tid = threadIdx.x;
    for (int bin = 0; bin < BINS; bin++)
        bins[bin][tid] = 0;
    const int first = blockIdx.x * PART, end = min(n, first + PART);
    for (int i = first + tid; i < end; i += THREADS)
        bins[d_data[i]][tid]++;
    __syncthreads();
    for (int bin = tid; bin < BINS; bin += THREADS) {
        unsigned sum = 0;
        for (int j = 0; j < THREADS; j++)
            sum += bins[bin][(j + tid) % THREADS];
        d_parts[blockIdx.x * BINS + bin] = sum;
    }
}

__global__ void add_kernel(unsigned *d_bins, const unsigned *d_parts, int parts) {
    unsigned sum = 0;
    for (int part = 0; part < parts; part++)
        sum += d_parts[part * BINS + threadIdx.x];
    d_bins[threadIdx.x] = sum;
}

void histogram(unsigned *d_bins, const unsigned char *d_data, int n) {
    const int parts = (n + PART - 1) / PART;
    unsigned *d_parts = NULL;
    CHECK(cudaMalloc(&d_parts, (parts + 1) * BINS * sizeof(unsigned)));
    if (parts > 0) count_kernel<<<parts, THREADS>>>(d_parts, d_data, n);
    CHECK(cudaGetLastError());
    add_kernel<<<1, BINS>>>(d_bins, d_parts, parts); // expect-note: over-budget longest_thread
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_parts));
}
