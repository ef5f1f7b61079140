#include "mistake.h"

__global__ void mirror(float *out, const float *in) {
    extern __shared__ float a[];
    extern __shared__ float b[];
    int t = threadIdx.x;
    a[t] = in[t];
    b[t] = 2 * in[t]; // expect-note: overlapping-arrays // says: same address
    __syncthreads();
    out[t] = a[t] + b[blockDim.x - 1 - t];
}

__global__ void race(float *out, const float *in) {
    extern __shared__ float c[];
    extern __shared__ float d[];
    int t = threadIdx.x;
    c[t] = in[t];
    d[blockDim.x - 1 - t] = 2 * in[t]; // expect-note: overlapping-arrays // says: with no barrier between them; c and d are the same memory
    __syncthreads(); // also: shared-race
    out[t] = c[t] + d[t];
}

__global__ void types(float *out, const float *in) {
    extern __shared__ int counts[];
    extern __shared__ float values[];
    int t = threadIdx.x;
    counts[t] = t;
    values[t] = in[t]; // expect-note: overlapping-arrays
    __syncthreads();
    out[t] = counts[t] * values[t];
}

__global__ void room_for_one(float *out, const float *in) {
    extern __shared__ float e[];
    extern __shared__ int f[];
    int t = threadIdx.x;
    e[t] = in[t];
    __syncthreads(); // also: shared-race
    f[t + 256] = t; // also: overlapping-arrays // expect: out-of-bounds // says: e and f are the same memory
    __syncthreads();
    out[t] = e[t] + f[t + 256]; // also: out-of-bounds // says: must be enough for e and f together
}

int main(void) {
    float *d_in = device_floats(256), *d_out = device_floats(256);
    mirror<<<1, 256, 512 * sizeof(float)>>>(d_out, d_in);
    race<<<1, 256, 512 * sizeof(float)>>>(d_out, d_in);
    types<<<1, 256, 512 * sizeof(float)>>>(d_out, d_in);
    room_for_one<<<1, 256, 256 * sizeof(float)>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
