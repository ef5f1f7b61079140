#include "mistake.h"

__global__ void halves(float *out, const float *in) {
    extern __shared__ float mem[];
    float *a = mem, *b = mem + blockDim.x / 2; // the bytes of both are there, but b begins too early
    int t = threadIdx.x;
    a[t] = in[t];
    b[t] = 2 * in[t]; // expect: shared-race // says: thread t writes element t of mem, at line 8 element t + 32
    __syncthreads();
    out[t] = a[t] + b[blockDim.x - 1 - t];
}

// One thread's write is no array, so the barrier is what is missing.
__global__ void last_is_zero(float *out, const float *in) {
    extern __shared__ float row[];
    int t = threadIdx.x;
    row[t] = in[t];
    if (t == 0) row[blockDim.x - 1] = 0; // expect: shared-race // says: Put __syncthreads() between
    __syncthreads();
    out[t] = row[t];
}

int main(void) {
    float *d_in = device_floats(64), *d_out = device_floats(64);
    halves<<<1, 64, 128 * sizeof(float)>>>(d_out, d_in);
    last_is_zero<<<1, 64, 64 * sizeof(float)>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
