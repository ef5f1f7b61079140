/* lesson: 12 */
#include <cuda_runtime.h>


__global__ void grid_sum_kernel(float *d_out, const float *d_in, int n) {
    extern __shared__ float parts[];
    const int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
    if (i >= n) return;
    parts[me] = d_in[i];
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads(); // expect-note: barrier-divergence // first // says: Let all threads stay until the last barrier
        if (me < half) parts[me] += parts[me + half]; // expect: uninitialized-read
    }
    if (me == 0) atomicAdd(d_out, parts[0]); // expect: wrong-answer
}

void grid_sum(float *d_out, const float *d_in, int n, int threads) {
    cudaMemset(d_out, 0, sizeof(float));
    if (n > 0) grid_sum_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(d_out, d_in, n);
}
