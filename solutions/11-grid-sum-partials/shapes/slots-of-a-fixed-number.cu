// Lesson 11, another shape: a fixed array of slots comes to the host as a whole, and those in use are added.

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

const int SLOTS = 1024;
__device__ float slots[SLOTS];

// Each block adds up its turns of d_in and leaves the sum in its slot.
__global__ void partial_sums_kernel(const float *d_in, int n) {
    extern __shared__ float temp[];
    const int tid = (int)threadIdx.x;
    float own = 0.0F;
    for (int i = (int)(blockIdx.x * blockDim.x) + tid; i < n; i += (int)(gridDim.x * blockDim.x))
        own += d_in[i];
    temp[tid] = own;
    for (int d = (int)blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) slots[blockIdx.x] = temp[0];
}

// The sum of the n numbers at d_in, on the device; n >= 0. A block has `threads` threads, a power of two.
float grid_sum(const float *d_in, int n, int threads) {
    if (n == 0) return 0.0F;
    const int needed = (n + threads - 1) / threads, blocks = needed < SLOTS ? needed : SLOTS;
    float h_slots[SLOTS];
    double sum = 0.0;
    partial_sums_kernel<<<blocks, threads, (size_t)threads * sizeof(float)>>>(d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(h_slots, slots, sizeof h_slots)); // others may be left from a call before
    for (int i = 0; i < blocks; i++)
        sum += (double)h_slots[i];
    return (float)sum;
}
