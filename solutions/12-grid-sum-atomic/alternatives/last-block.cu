// Lesson 12, another way: each block stores its sum and takes a ticket; the last to take one adds all sums in
// order.

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

// How many blocks have left their sum. The last block sets it back to 0 for the next call.
__device__ unsigned tickets;

__device__ void block_sum(float *temp) {
    const int tid = (int)threadIdx.x;
    for (int d = (int)blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
}

__global__ void grid_sum_kernel(float *d_out, float *d_partial, const float *d_in, int n) {
    extern __shared__ float temp[];
    __shared__ bool last;
    const int tid = (int)threadIdx.x;
    const int i = (int)(blockIdx.x * blockDim.x) + tid;
    temp[tid] = i < n ? d_in[i] : 0.0F;
    block_sum(temp);
    if (tid == 0) {
        d_partial[blockIdx.x] = temp[0];
        __threadfence(); // the sum is visible to everyone before the ticket is
        last = atomicAdd(&tickets, 1U) == gridDim.x - 1;
        __threadfence(); // and after the ticket, the others' sums are visible here
    }
    __syncthreads();
    if (!last) return; // the same for the whole block

    float sum = 0.0F;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
        sum += d_partial[block];
    temp[tid] = sum;
    block_sum(temp);
    if (tid == 0) {
        *d_out = temp[0];
        tickets = 0;
    }
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    const int blocks = (n + threads - 1) / threads;
    float *d_partial = NULL;
    CHECK(cudaMalloc(&d_partial, (size_t)blocks * sizeof(float)));
    grid_sum_kernel<<<blocks, threads, (size_t)threads * sizeof(float)>>>(d_out, d_partial, d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_partial)); // waits for the kernel
}
