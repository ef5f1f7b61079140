#include "mistake.h"

__global__ void block_sum(float *out, const float *in) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d];
    }
    out[0] = temp[tid]; // expect: global-race // says: 32 threads of a warp
}

// Two threads know of a result, and no other writes.
__global__ void largest_of_two(float *out, const float *in) {
    if (threadIdx.x < 2) out[0] = in[threadIdx.x]; // expect: global-race // says: 2 threads of a warp
}

int main(void) {
    float *d_in = device_floats(256), *d_out = device_floats(1);
    block_sum<<<1, 256>>>(d_out, d_in);
    largest_of_two<<<1, 64>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
