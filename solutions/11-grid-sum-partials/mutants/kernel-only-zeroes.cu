// Lesson 11, a typical mistake: the kernel only sets the sums to zero, and the host adds the numbers.

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
__global__ void clear_kernel(float *d_partial) {
    if (threadIdx.x == 0) d_partial[blockIdx.x] = 0.0F;
}

// The sum of the n numbers at d_in, on the device; n >= 0. A block has `threads` threads, a power of two.
float grid_sum(const float *d_in, int n, int threads) { // expect: not-on-gpu
    if (n == 0) return 0.0F;                            // a grid of 0 blocks cannot be launched
    const int blocks = (n + threads - 1) / threads;
    const size_t bytes = (size_t)blocks * sizeof(float);
    float *d_partial = NULL;
    CHECK(cudaMalloc(&d_partial, bytes));
    clear_kernel<<<blocks, threads>>>(d_partial);
    CHECK(cudaGetLastError());

    float *h_partial = (float *)malloc(bytes);
    if (h_partial == NULL) exit(EXIT_FAILURE);
    CHECK(cudaMemcpy(h_partial, d_partial, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
    float *h_in = (float *)malloc((size_t)n * sizeof(float));
    CHECK(cudaMemcpy(h_in, d_in, (size_t)n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_partial));
    double sum = 0.0; // many small additions: double keeps their rounding errors small
    for (int block = 0; block < blocks; block++)
        sum += (double)h_partial[block];
    for (int i = 0; i < n; i++)
        sum += (double)h_in[i];
    free(h_in);
    free(h_partial);
    return (float)sum;
}
// told: unread
