/* lesson: 11 */
#include <cuda_runtime.h>

// The array of partial sums is always as long, all of it is copied, and only what the blocks have left is added.
enum { MOST = 4096 };

__global__ void sums_of_blocks(float *sums, const float *in, int n) {
    extern __shared__ float temp[];
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0.0f;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) sums[blockIdx.x] = temp[0];
}

float grid_sum(const float *d_in, int n, int threads) {
    if (n == 0) return 0.0f;
    static float h_sums[MOST];
    float *d_sums;
    double sum = 0.0;
    const int blocks = (n + threads - 1) / threads;
    if (blocks > MOST || cudaMalloc(&d_sums, sizeof h_sums) != cudaSuccess) return 0.0f;
    sums_of_blocks<<<blocks, threads, threads * sizeof(float)>>>(d_sums, d_in, n);
    if (cudaMemcpy(h_sums, d_sums, sizeof h_sums, cudaMemcpyDeviceToHost) != cudaSuccess) return 0.0f; // expect-note: uninitialized-read
    for (int i = 0; i < blocks; i++)
        sum += h_sums[i];
    if (cudaFree(d_sums) != cudaSuccess) return 0.0f;
    return (float)sum;
}
