// Lesson 24, another shape: a thread scans eight numbers of its own first, which come through shared memory
// in whole rows.

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

enum { THREADS = 128, EACH = 8, PART = THREADS * EACH };

__device__ int scan_of_block(int own) {
    __shared__ int warp_sums[THREADS / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(0xffffffffU, own, distance);
        if (lane >= distance) own += other;
    }
    if (lane == 31) warp_sums[warp] = own;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        own += warp_sums[w];
    return own;
}

__global__ void scan_kernel(int *d_out, int *d_sums, const int *d_in, int n) {
    __shared__ int part[PART + PART / 32];
    const int first = blockIdx.x * PART, tid = threadIdx.x;
    for (int i = tid; i < PART; i += THREADS)
        part[i + i / 32] = first + i < n ? d_in[first + i] : 0;
    __syncthreads();
    int own[EACH], sum = 0;
    for (int e = 0; e < EACH; e++) {
        const int i = tid * EACH + e;
        own[e] = sum += part[i + i / 32];
    }
    const int before = scan_of_block(sum) - sum;
    for (int e = 0; e < EACH; e++) {
        const int i = tid * EACH + e;
        part[i + i / 32] = before + own[e];
    }
    __syncthreads();
    for (int i = tid; i < PART && first + i < n; i += THREADS)
        d_out[first + i] = part[i + i / 32];
    if (tid == THREADS - 1 && d_sums != NULL) d_sums[blockIdx.x] = before + sum;
}

__global__ void add_kernel(int *d_out, const int *d_sums, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n && i >= PART) d_out[i] += d_sums[i / PART - 1];
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int blocks = (n + PART - 1) / PART;
    int *d_sums = NULL;
    if (blocks > 1) CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
    scan_kernel<<<blocks, THREADS>>>(d_out, d_sums, d_in, n);
    CHECK(cudaGetLastError());
    if (blocks == 1) return;
    inclusive_scan(d_sums, d_sums, blocks);
    add_kernel<<<(n + THREADS - 1) / THREADS, THREADS>>>(d_out, d_sums, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}
