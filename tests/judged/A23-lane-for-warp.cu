/* lesson: 19 */
#include <cuda_runtime.h>

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    __shared__ float sums[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x / 32, warp = threadIdx.x % 32;
    sums[warp] = 0.0F;
    __syncthreads();
    atomicAdd(&sums[warp], i < n ? d_in[i] : 0.0F);
    __syncthreads();
    if (warp == 0) {
        float sum = sums[lane];
        for (int apart = 16; apart > 0; apart /= 2)
            sum += __shfl_down_sync(0xffffffffU, sum, apart); // expect: invalid-mask // first // says: only 1 executes the shuffle
        if (lane == 0) atomicAdd(d_out, sum); // expect: wrong-answer
    }
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    cudaMemset(d_out, 0, sizeof(float));
    threads = (threads + 31) / 32 * 32;
    if (n > 0) grid_sum_kernel<<<(n + threads - 1) / threads, threads>>>(d_out, d_in, n);
}
