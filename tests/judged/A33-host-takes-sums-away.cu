/* lesson: 11 */
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void add_block(float *parts, const float *in, int n) {
    extern __shared__ float temp[];
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0.0F;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) parts[blockIdx.x] = temp[0]; // expect: wrong-answer // first // says: block 1: in[128] to in[255] add up to -16.0839844
}

float grid_sum(const float *d_in, int n, int threads) {
    if (n == 0) return 0.0F;
    const int blocks = (n + threads - 1) / threads;
    float *d_parts = nullptr, *parts = (float *)malloc(blocks * sizeof(float)), sum = 0.0F;
    cudaMalloc(&d_parts, blocks * sizeof(float));
    add_block<<<blocks, threads, threads * sizeof(float)>>>(d_parts, d_in, n);
    cudaMemcpy(parts, d_parts, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; b++)
        sum = parts[b] - sum;
    cudaFree(d_parts);
    free(parts);
    return sum;
}
