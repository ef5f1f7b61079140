/* lesson: 19 */
#include <cuda_runtime.h>

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? d_in[i] : 0.0F;
    for (int apart = 16; apart > 0; apart /= 2)
        __shfl_down_sync(0xffffffffU, sum, apart); // expect-note: compiler-warning // first // says: A shuffle does not change its arguments
    if (threadIdx.x % 32 == 0) atomicAdd(d_out, sum); // expect: wrong-answer
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    cudaMemset(d_out, 0, sizeof(float));
    if (n == 0) return;
    threads = (threads + 31) / 32 * 32;
    grid_sum_kernel<<<(n + threads - 1) / threads, threads>>>(d_out, d_in, n);
}
