/* unoptimised: few instructions become conditional ones, and no branch is left */
#include "mistake.h"

__global__ void odd_and_even(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0) // expect-note: divergent-branch
        z[i] = z[i] * 3.0f + 1.0f;
    else
        z[n + i] = 7.0f;
}

__global__ void interleaved(float *out, const float *in) {
    __shared__ float temp[256];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    for (int s = 1; s < 32; s *= 2) {
        if (tid % (2 * s) == 0) temp[tid] += temp[tid + s]; // expect-note: divergent-branch
        __syncthreads();
    }
    if (tid % 32 == 0) out[blockIdx.x * 8 + tid / 32] = temp[tid];
}

int main() {
    const int n = 32768;
    float *z = device_floats(2 * n);
    odd_and_even<<<n / 256, 256>>>(z, n);
    interleaved<<<32, 256>>>(z + n, z);
    finish();
    CHECK(cudaFree(z));
}
