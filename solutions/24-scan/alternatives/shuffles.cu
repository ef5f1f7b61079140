// Lesson 24, another way: each thread adds up eight numbers, the warps scan those sums by shuffles, and one
// warp scans the warps' sums. Fewer barriers, and fewer levels.

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
const int WARP = 32;
const int THREADS = 256;
const int EACH = 8; // numbers of a thread
const int PART = THREADS * EACH;
const unsigned ALL_LANES = 0xffffffffU;

__device__ int warp_scan(int value) {
    const int lane = (int)threadIdx.x % WARP;
    for (int distance = 1; distance < WARP; distance *= 2) {
        const int before = __shfl_up_sync(ALL_LANES, value, distance);
        if (lane >= distance) value += before;
    }
    return value;
}

__global__ void scan_blocks_kernel(int *d_out, int *d_sums, const int *d_in, int n) {
    __shared__ int warp_sums[WARP];
    __shared__ int numbers[PART];
    const int tid = (int)threadIdx.x;
    const int first = (int)blockIdx.x * PART;
    for (int i = tid; i < PART; i += THREADS)
        numbers[i] = first + i < n ? d_in[first + i] : 0;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < EACH; i++) {
        sum += numbers[tid * EACH + i];
        numbers[tid * EACH + i] = sum;
    }
    const int scanned = warp_scan(sum);
    if (tid % WARP == WARP - 1) warp_sums[tid / WARP] = scanned;
    __syncthreads();
    if (tid < WARP) warp_sums[tid] = warp_scan(tid < THREADS / WARP ? warp_sums[tid] : 0);
    __syncthreads();
    const int before = scanned - sum + (tid >= WARP ? warp_sums[tid / WARP - 1] : 0);
    for (int i = 0; i < EACH; i++)
        numbers[tid * EACH + i] += before;
    __syncthreads();
    for (int i = tid; i < PART && first + i < n; i += THREADS)
        d_out[first + i] = numbers[i];
    if (tid == 0 && d_sums != NULL) d_sums[blockIdx.x] = numbers[PART - 1];
}

__global__ void add_sums_kernel(int *d_out, const int *d_sums, int n) {
    const int first = (int)(blockIdx.x + 1) * PART;
    const int sum = d_sums[blockIdx.x];
    for (int i = (int)threadIdx.x; i < PART && first + i < n; i += THREADS)
        d_out[first + i] += sum;
}

void inclusive_scan(int *d_out, const int *d_in, int n) {
    if (n == 0) return;
    const int blocks = (n + PART - 1) / PART;
    int *d_sums = NULL;
    if (blocks > 1) CHECK(cudaMalloc(&d_sums, (size_t)blocks * sizeof(int)));
    scan_blocks_kernel<<<blocks, THREADS>>>(d_out, d_sums, d_in, n);
    CHECK(cudaGetLastError());
    if (blocks == 1) return;
    inclusive_scan(d_sums, d_sums, blocks);
    add_sums_kernel<<<blocks - 1, THREADS>>>(d_out, d_sums, n); // block 0 has nothing to add
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
}
