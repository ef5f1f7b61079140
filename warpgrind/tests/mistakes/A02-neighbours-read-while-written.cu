#include "mistake.h"

__global__ void scan(float *out, const float *in) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    for (int d = 1; d < blockDim.x; d *= 2) {
        __syncthreads();
        if (tid >= d) temp[tid] += temp[tid - d]; // expect: shared-race // says: all must read before any of them writes
    }
    __syncthreads();
    out[tid] = temp[tid];
}

int main(void) {
    float *d_in = device_floats(256), *d_out = device_floats(256);
    scan<<<1, 256>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
