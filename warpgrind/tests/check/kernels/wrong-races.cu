// Races that give the right answer nearly always.
#include "../../mistakes/mistake.h"

__global__ void scan_one_buffer(float *out, const float *in) {
    __shared__ float temp[64];
    int tid = threadIdx.x;
    temp[tid] = in[tid];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        if (tid >= d) temp[tid] += temp[tid - d]; // expect: shared-race
        __syncthreads();
    }
    out[tid] = temp[tid];
}

__global__ void in_place_stencil(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) z[i] = 0.5f * (z[i - 1] + z[i + 1]); // expect: global-race
}

__global__ void broadcast(float *out, const float *in) {
    __shared__ float total;
    if (threadIdx.x == 0) total = in[0]; // expect: shared-race
    out[threadIdx.x] = in[threadIdx.x] / total;
}

__global__ void reused(float *out, const float *in) {
    __shared__ float temp[64];
    for (int k = 0; k < 2; k++) {
        temp[threadIdx.x] = in[threadIdx.x + 64 * k]; // expect: shared-race
        __syncthreads();
        out[threadIdx.x + 64 * k] = temp[63 - threadIdx.x];
    }
}

__global__ void bytes(unsigned char *flags) {
    flags[threadIdx.x / 2] = (unsigned char)threadIdx.x; // expect: global-race
}

__global__ void unlocked_histogram(int *bins, const float *in) {
    bins[(int)(in[threadIdx.x] + 8.0f) & 15]++; // expect: global-race
}

int main() {
    float *in = device_floats(256), *out = device_floats(256);
    int *bins;
    unsigned char *flags;
    CHECK(cudaMalloc(&bins, 16 * sizeof(int)));
    CHECK(cudaMalloc(&flags, 64));
    CHECK(cudaMemset(bins, 0, 16 * sizeof(int)));
    scan_one_buffer<<<1, 64>>>(out, in);
    in_place_stencil<<<4, 64>>>(out, 256);
    broadcast<<<1, 64>>>(out, in);
    reused<<<1, 64>>>(out, in);
    bytes<<<1, 64>>>(flags);
    unlocked_histogram<<<1, 64>>>(bins, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(bins));
    CHECK(cudaFree(flags));
}
