/* lesson: 19 */
#include <cuda_runtime.h>

__device__ float add_up(float value, int lanes) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other = __shfl_down_sync(__activemask(), value, apart); // expect-note: invalid-mask // says: not those that are meant
        if (threadIdx.x % 32 + apart < lanes) value += other;
    }
    return value;
}

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    __shared__ float sums[32];
    const int warps = blockDim.x / 32, i = blockIdx.x * blockDim.x + threadIdx.x;
    const float sum = add_up(i < n ? d_in[i] : 0.0F, 32);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= warps) return;
    const float total = add_up(sums[threadIdx.x], warps);
    if (threadIdx.x == 0) atomicAdd(d_out, total);
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    cudaMemset(d_out, 0, sizeof(float));
    threads = (threads + 31) / 32 * 32;
    if (n > 0) grid_sum_kernel<<<(n + threads - 1) / threads, threads>>>(d_out, d_in, n);
}
