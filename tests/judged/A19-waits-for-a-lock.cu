/* lesson: 12 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ int taken;

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    extern __shared__ float temp[];
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? d_in[i] : 0.0f;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid > 0) return;
    while (atomicCAS(&taken, 0, 1)); { // expect-note: compiler-warning
        *d_out += temp[0];             // expect: global-race // first
    }
    atomicExch(&taken, 0);
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    cudaMemset(d_out, 0, sizeof(float));
    if (n == 0) return;
    grid_sum_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(d_out, d_in, n); // expect-note: over-budget
}
