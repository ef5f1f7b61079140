#include "mistake.h"

/* Arrays that every thread has for itself, on purpose: filled before they are read, in a kernel with barriers. */
__global__ void window(float *out, const float *in, int n) {
    __shared__ float tile[66];
    float own[3];
    int t = threadIdx.x;
    tile[t + 1] = in[t];
    if (t == 0) tile[0] = tile[65] = 0;
    __syncthreads();
    for (int i = 0; i < 3; i++)
        own[i] = tile[t + i];
    __syncthreads();
    out[t] = own[n % 3] + own[(n + t) % 3]; // near: uninitialized-read
}

/* Each thread uses the one element of a large array that it has set. */
__global__ void sparse(float *out, const float *in) {
    float mine[64];
    mine[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = mine[threadIdx.x]; // near: uninitialized-read
}

int main() {
    float *in = device_floats(64), *out = device_floats(64), host[64];
    window<<<1, 64>>>(out, in, 64);
    finish();
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    sparse<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
