#include "mistake.h"

__global__ void copy(float *out, const float *in) {
    extern __shared__ float temp[];
    temp[threadIdx.x] = in[threadIdx.x]; // expect: out-of-bounds
    __syncthreads();
    out[threadIdx.x] = temp[threadIdx.x]; // expect: out-of-bounds
}

int main() {
    float *in = device_floats(64), *out = device_floats(64);
    copy<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
