#include "mistake.h"

__global__ void grid_sum(float *out, const float *in) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[blockIdx.x * blockDim.x + tid];
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    if (tid == 0) out[0] = temp[0] + blockIdx.x; // expect: global-race // says: [blockIdx.x]
}

int main(void) {
    float *d_in = device_floats(1024), *d_out = device_floats(4);
    grid_sum<<<4, 256>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
