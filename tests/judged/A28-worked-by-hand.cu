/* lesson: 07 */
#include <cuda_runtime.h>

__global__ void block_sum_kernel(float *out, const float *in) {
    extern __shared__ float parts[];
    const int me = threadIdx.x;
    parts[me] = in[me];
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (me < half) parts[me] = 2.0F * parts[me] - parts[me + half];
    }
    if (me == 0) *out = parts[0]; // expect: wrong-answer // first // says: distance 16: temp[0] + temp[16] = -623 + -982 = -1605
}

void block_sum(float *d_out, const float *d_in, int threads) {
    block_sum_kernel<<<1, threads, threads * sizeof(float)>>>(d_out, d_in);
}
