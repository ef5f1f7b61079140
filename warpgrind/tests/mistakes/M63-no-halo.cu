#include "mistake.h"

__global__ void smooth(float *out, const float *in) {
    __shared__ float s[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = 0.5f * (s[threadIdx.x] + s[threadIdx.x + 1]); // expect: out-of-bounds
}

int main() {
    float *in = device_floats(256), *out = device_floats(256);
    smooth<<<2, 128>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
