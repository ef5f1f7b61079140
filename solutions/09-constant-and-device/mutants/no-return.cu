// A mistake: shrink works out the new step and does not return it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)
__constant__ int divisor;
__device__ int shrink(int d) { d = d / divisor; } // expect: uninitialized-read
__global__ void block_sum_kernel(float *d_out, const float *d_in) {
    __shared__ float temp[512];
    int tid = threadIdx.x;
    temp[tid] = d_in[tid];
    for (int d = shrink(512); d > 0; d = shrink(d)) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) d_out[0] = temp[0];
}
void block_sum(float *d_out, const float *d_in) {
    const int two = 2;
    CHECK(cudaMemcpyToSymbol(divisor, &two, sizeof(two)));
    block_sum_kernel<<<1, 512>>>(d_out, d_in);
    CHECK(cudaGetLastError());
}
// told: no-step
