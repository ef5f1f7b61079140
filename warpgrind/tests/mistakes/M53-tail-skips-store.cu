#include "mistake.h"

__global__ void sum(float *out, const float *in, int n) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    if (tid < n) temp[tid] = in[tid];
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) temp[tid] += temp[tid + d]; // expect: uninitialized-read
    }
    if (tid == 0) *out = temp[0];
}

int main() {
    float *in = device_floats(200), *out = device_floats(1);
    sum<<<1, 256>>>(out, in, 200);
    finish();
    float h = 0;
    CHECK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
