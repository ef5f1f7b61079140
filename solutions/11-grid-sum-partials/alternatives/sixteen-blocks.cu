// Lesson 11, another way: 16 blocks whatever n is. Each thread adds up every 16 * threads-th number first.

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

const int BLOCKS = 16;

__global__ void partial_sums_kernel(float *d_partial, const float *d_in, int n) {
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
    if (tid == 0) d_partial[blockIdx.x] = temp[0];
}

float grid_sum(const float *d_in, int n, int threads) {
    float h_partial[BLOCKS];
    float *d_partial = NULL;
    CHECK(cudaMalloc(&d_partial, sizeof(h_partial)));
    partial_sums_kernel<<<BLOCKS, threads, (size_t)threads * sizeof(float)>>>(d_partial, d_in, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_partial, d_partial, sizeof(h_partial), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_partial));
    float sum = 0.0F;
    for (int block = 0; block < BLOCKS; block++)
        sum += h_partial[block];
    return sum;
}
