// Lesson 12, another way: a kernel of its own sets the result to zero. Kernels of one stream run one after
// the other.

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

__global__ void zero_kernel(float *d_out) {
    *d_out = 0.0F;
}

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0.0F;
    __syncthreads();
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) atomicAdd(&sum, d_in[i]); // the block's own sum: its threads queue here
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(d_out, sum);
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    zero_kernel<<<1, 1>>>(d_out);
    CHECK(cudaGetLastError());
    if (n == 0) return;
    grid_sum_kernel<<<(n + threads - 1) / threads, threads>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
}
