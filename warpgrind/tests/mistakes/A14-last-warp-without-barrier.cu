#include "mistake.h"

__global__ void block_sum(float *out, const float *in) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (d >= 32) __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d]; // expect: shared-race // first // says: is under a condition
    }
    if (tid == 0) out[0] = temp[0];
}

int main(void) {
    float *d_in = device_floats(256), *d_out = device_floats(1);
    block_sum<<<1, 256>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
