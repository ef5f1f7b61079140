#include "mistake.h"

__global__ void quads(float4 *out, const float *in, int from) {
    const float4 *four = (const float4 *)(in + from); // a row starts anywhere
    out[threadIdx.x] = four[threadIdx.x]; // expect: misaligned // says: this one is 8 past
}

int main() {
    float *in = device_floats(130);
    float4 *out;
    CHECK(cudaMalloc(&out, 32 * sizeof(float4)));
    quads<<<1, 32>>>(out, in, 2);
    cudaGetLastError();
    cudaDeviceSynchronize(); // also: unchecked-error
    cudaFree(in);
    cudaFree(out);
}
