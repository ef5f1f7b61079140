/* lesson: 07 */
#include <cuda_runtime.h>

__global__ void block_sum_kernel(float *d_out, const float *d_in) {
    extern __shared__ float parts[];
    const int me = threadIdx.x;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (me < half) parts[me] += parts[me + half]; // expect: uninitialized-read // first // says: No thread had stored anything in parts
    }
    __syncthreads();
    const float sum = parts[0]; // expect: uninitialized-read
    if (me == 0)
        d_out[0] = sum; // expect: wrong-answer
}

void block_sum(float *d_out, const float *d_in, int threads) {
    block_sum_kernel<<<1, threads, threads * sizeof(float)>>>(d_out, d_in);
}
