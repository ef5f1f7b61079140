/* lesson: 19 */
#include <cuda_runtime.h>

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? d_in[i] : 0.0F;
    for (int apart = 16; apart > 0; apart /= 2)
        if (threadIdx.x % 32 < apart) sum += __shfl_down_sync(0xffffffffU, sum, apart); // expect: hang // first // says: A warp operation waits here for every lane that its mask names
    __syncthreads();
    if (threadIdx.x % 32 == 0) atomicAdd(d_out, sum);
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    cudaMemset(d_out, 0, sizeof(float));
    threads = (threads + 31) / 32 * 32;
    if (n > 0) grid_sum_kernel<<<(n + threads - 1) / threads, threads>>>(d_out, d_in, n);
}
