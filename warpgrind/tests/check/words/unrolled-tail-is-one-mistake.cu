// says: with no __syncwarp() between them; the same at lines
// says: 1 error and 1 note in 1 launch
#include "../../mistakes/mistake.h"
__device__ void tail(volatile float *s, int tid) {
    s[tid] += s[tid + 32];
    s[tid] += s[tid + 16];
    s[tid] += s[tid + 8];
    s[tid] += s[tid + 4];
    s[tid] += s[tid + 2];
    s[tid] += s[tid + 1];
}
__global__ void sum(float *out, const float *in) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    for (int d = 128; d > 32; d /= 2) {
        if (tid < d) temp[tid] += temp[tid + d];
        __syncthreads();
    }
    if (tid < 32) tail(temp, tid);
    if (tid == 0) *out = temp[0];
}
int main() {
    float *in = device_floats(256), *out = device_floats(1);
    sum<<<1, 256>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
