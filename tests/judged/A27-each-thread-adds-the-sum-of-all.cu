/* lesson: 12 */
#include <cuda_runtime.h>

__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    extern __shared__ float parts[];
    const int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
    parts[me] = i < n ? d_in[i] : 0.0F;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (me < half) parts[me] += parts[me + half];
    }
    const float sum = parts[0]; // expect: shared-race
    atomicAdd(d_out, sum); // expect: wrong-answer // first // says: does each of them do what one of them should do?
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    cudaMemset(d_out, 0, sizeof(float));
    if (n > 0) grid_sum_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(d_out, d_in, n);
}
