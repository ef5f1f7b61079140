#include "mistake.h"

__global__ void reverse(float *out, const float *in) {
    float temp[64];
    temp[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = temp[63 - threadIdx.x]; // expect: uninitialized-read
}

int main() {
    float *in = device_floats(64), *out = device_floats(64), host[64];
    reverse<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
