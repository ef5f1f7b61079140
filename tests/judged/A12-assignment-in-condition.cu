/* lesson: 08 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int COUNT = 512;

__global__ void block_sum_kernel(float *d_out, const float *d_in) {
    __shared__ float temp[COUNT];
    int tid = threadIdx.x;
    temp[tid] = d_in[tid];
    for (int d = COUNT / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid = 0) d_out[0] = temp[0]; // expect-note: compiler-warning // first
}

void block_sum(float *d_out, const float *d_in) {
    block_sum_kernel<<<1, COUNT>>>(d_out, d_in); // also: wrong-answer uninitialized-read
}
