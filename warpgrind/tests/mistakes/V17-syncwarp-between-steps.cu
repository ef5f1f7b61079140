#include "mistake.h"

enum { N = 64 };

__global__ void sum(float *out, const float *in) {
    __shared__ volatile float temp[N];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    if (tid < 32) {
        float value = temp[tid];
        for (int s = 32; s > 0; s /= 2) {
            value += temp[tid + s]; // near: shared-race
            __syncwarp(); // near: invalid-mask
            temp[tid] = value;
            __syncwarp();
        }
        if (tid == 0) *out = value;
    }
}

int main() {
    float *in = device_floats(N), *out = device_floats(1);
    sum<<<1, N>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
