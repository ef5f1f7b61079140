// Lesson 12, another way: no tree at all, one atomic addition a number. Right, but all of them queue at one
// address.

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

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) atomicAdd(d_out, d_in[i]);
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    CHECK(cudaMemset(d_out, 0, sizeof(float)));
    if (n == 0) return;
    grid_sum_kernel<<<(n + threads - 1) / threads, threads>>>(d_out, d_in, n); // expect-note: over-budget global_atomics
    CHECK(cudaGetLastError());
}
