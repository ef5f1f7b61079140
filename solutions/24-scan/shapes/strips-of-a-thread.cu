// Lesson 24, another shape: each thread scans a strip of 64 numbers by itself, in three launches.

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

enum { STRIP = 64, THREADS = 64, PART = 1024 };

__global__ void strip_sums_kernel(int *d_sums, const int *d_in, int n, int strips) {
    const int strip = blockIdx.x * THREADS + threadIdx.x;
    if (strip >= strips) return;
    int sum = 0;
    for (int i = strip * STRIP; i < min(n, (strip + 1) * STRIP); i++)
        sum += d_in[i];
    d_sums[strip] = sum;
}

__global__ void sums_kernel(int *d_sums, int count) {
    __shared__ int temp[PART];
    const int tid = threadIdx.x;
    int total = 0;
    for (int first = 0; first < count; first += PART) {
        temp[tid] = first + tid < count ? d_sums[first + tid] : 0;
        __syncthreads();
        for (int distance = 1; distance < PART; distance *= 2) {
            const int before = tid >= distance ? temp[tid - distance] : 0;
            __syncthreads();
            temp[tid] += before;
            __syncthreads();
        }
        if (first + tid < count) d_sums[first + tid] = total + temp[tid];
        total += temp[PART - 1];
        __syncthreads();
    }
}

__global__ void strips_kernel(int *d_out, const int *d_in, const int *d_sums, int n, int strips) {
    const int strip = blockIdx.x * THREADS + threadIdx.x;
    if (strip >= strips) return;
    int sum = strip > 0 ? d_sums[strip - 1] : 0;
    for (int i = strip * STRIP; i < min(n, (strip + 1) * STRIP); i++)
        d_out[i] = sum += d_in[i];
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int strips = (n + STRIP - 1) / STRIP, blocks = (strips + THREADS - 1) / THREADS;
    int *d_sums = NULL;
    CHECK(cudaMalloc(&d_sums, strips * sizeof(int)));
    strip_sums_kernel<<<blocks, THREADS>>>(d_sums, d_in, n, strips);
    sums_kernel<<<1, PART>>>(d_sums, strips);
    strips_kernel<<<blocks, THREADS>>>(d_out, d_in, d_sums, n, strips);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}
