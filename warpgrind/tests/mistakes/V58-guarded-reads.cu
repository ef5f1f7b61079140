#include "mistake.h"

__global__ void pick(float *out, int n) {
    float value;
    if (n > 3) value = 1.0f;
    if (n > 3) out[threadIdx.x] = value; // near: uninitialized-read; the same condition
}

__global__ void sum(float *out, const float *in, int n) {
    __shared__ float temp[64];
    int tid = threadIdx.x;
    if (tid < n) temp[tid] = in[tid];
    __syncthreads();
    float total = 0;
    for (int i = 0; i < n; i++) total += temp[i]; // near: uninitialized-read shared-race; only what was stored
    if (tid == 0) *out = total;
}

__global__ void masked(float *out, const float *in, int n) {
    float value = threadIdx.x < n ? in[threadIdx.x] : 0.0f;
    float other = __shfl_down_sync(0xffffffffu, value, 1); // near: uninitialized-read invalid-mask
    out[threadIdx.x] = threadIdx.x < 31 ? value - other : value;
}

int main() {
    float *in = device_floats(40), *out = device_floats(64);
    pick<<<1, 32>>>(out, 5);
    sum<<<1, 64>>>(out, in, 40);
    masked<<<1, 32>>>(out, in, 20);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
