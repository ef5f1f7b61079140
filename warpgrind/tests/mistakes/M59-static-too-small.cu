#include "mistake.h"

__global__ void copy(float *out, const float *in) {
    __shared__ float s[128];
    __shared__ float other[128];
    s[threadIdx.x] = in[threadIdx.x]; // expect: out-of-bounds
    if (threadIdx.x < 128) other[threadIdx.x] = 0;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + other[threadIdx.x % 128]; // also: out-of-bounds
}

int main() {
    float *in = device_floats(256), *out = device_floats(256);
    copy<<<1, 256>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
