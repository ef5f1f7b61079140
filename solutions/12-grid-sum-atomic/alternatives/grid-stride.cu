// Lesson 12, another way: at most 32 blocks, whose threads first walk the numbers in strides of the whole
// grid.

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

const int MOST_BLOCKS = 32;

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    extern __shared__ float temp[];
    const int tid = (int)threadIdx.x;
    const int stride = (int)(gridDim.x * blockDim.x);
    float sum = 0.0F;
    for (int i = (int)(blockIdx.x * blockDim.x) + tid; i < n; i += stride)
        sum += d_in[i];
    temp[tid] = sum;
    for (int d = (int)blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) atomicAdd(d_out, temp[0]);
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    const float zero = 0.0F;
    CHECK(cudaMemcpy(d_out, &zero, sizeof(zero), cudaMemcpyHostToDevice));
    const int needed = (n + threads - 1) / threads;
    if (needed == 0) return;
    const int blocks = needed < MOST_BLOCKS ? needed : MOST_BLOCKS;
    grid_sum_kernel<<<blocks, threads, (size_t)threads * sizeof(float)>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
