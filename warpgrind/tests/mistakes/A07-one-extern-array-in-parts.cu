#include "mistake.h"

__global__ void parts(float *out, const float *in) {
    extern __shared__ float a[];
    float *b = a + blockDim.x; // near: overlapping-arrays
    int t = threadIdx.x;
    a[t] = in[t];
    b[t] = 2 * in[t];
    __syncthreads();
    out[t] = a[t] + b[blockDim.x - 1 - t];
}

__global__ void other(float *out, const float *in) {
    extern __shared__ int of_other[]; // near: overlapping-arrays
    of_other[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = in[of_other[threadIdx.x]];
}

__global__ void beside_static(float *out, const float *in) {
    extern __shared__ float whole[];
    __shared__ float fixed[256]; // near: overlapping-arrays
    whole[threadIdx.x] = in[threadIdx.x];
    fixed[threadIdx.x] = 1;
    out[threadIdx.x] = whole[threadIdx.x] + fixed[threadIdx.x];
}

int main(void) {
    float *d_in = device_floats(256), *d_out = device_floats(256);
    parts<<<1, 256, 512 * sizeof(float)>>>(d_out, d_in);
    other<<<1, 256, 256 * sizeof(int)>>>(d_out, d_in);
    beside_static<<<1, 256, 256 * sizeof(float)>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
