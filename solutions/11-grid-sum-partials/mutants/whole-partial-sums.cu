// Lesson 11, a typical mistake: each block rounds its sum to a whole number.

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

// Each block adds up its own part of d_in and leaves the sum in d_partial[its number].
__global__ void partial_sums_kernel(int *d_partial, const float *d_in, int n) {
    extern __shared__ float temp[];
    const int tid = (int)threadIdx.x;
    const int i = (int)(blockIdx.x * blockDim.x) + tid;
    temp[tid] = i < n ? d_in[i] : 0.0F; // threads past the end stay: the tree needs all of them

    for (int d = (int)blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads(); // the step before must be complete
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) d_partial[blockIdx.x] = __float2int_rn(temp[0]); // expect: wrong-answer
}

// The sum of the n numbers at d_in, on the device; n >= 0. A block has `threads` threads, a power of two.
float grid_sum(const float *d_in, int n, int threads) {
    if (n == 0) return 0.0F; // a grid of 0 blocks cannot be launched
    const int blocks = (n + threads - 1) / threads;
    const size_t bytes = (size_t)blocks * sizeof(int);
    int *d_partial = NULL;
    CHECK(cudaMalloc(&d_partial, bytes));
    partial_sums_kernel<<<blocks, threads, (size_t)threads * sizeof(float)>>>(d_partial, d_in, n);
    CHECK(cudaGetLastError());

    int *h_partial = (int *)malloc(bytes);
    if (h_partial == NULL) exit(EXIT_FAILURE);
    CHECK(cudaMemcpy(h_partial, d_partial, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
    CHECK(cudaFree(d_partial));
    double sum = 0.0; // many small additions: double keeps their rounding errors small
    for (int block = 0; block < blocks; block++)
        sum += (double)h_partial[block];
    free(h_partial);
    return (float)sum;
}
// told: made-whole parts
