#include "mistake.h"

__global__ void reverse(float *out, const float *in) {
    float temp[64];
    temp[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = temp[63 - threadIdx.x]; // expect: uninitialized-read // says: __shared__
}

__global__ void tree(float *out, const float *in) {
    float part[64];
    int tid = threadIdx.x;
    part[tid] = in[tid];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (tid < d) part[tid] += part[tid + d]; // expect: uninitialized-read // says: write __shared__ before
        __syncthreads();
    }
    if (tid == 0) out[0] = part[0];
}

__global__ void one_per_warp(float *out, const float *in) {
    float sums[2];
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sums[0] + sums[1]; // expect: uninitialized-read // says: __shared__
}

__global__ void order_of_local(float *out, const float *in) {
    int order[64];
    order[threadIdx.x] = 63 - threadIdx.x;
    __syncthreads();
    if (order[(threadIdx.x + 1) % 64] > 31) // expect: uninitialized-read // says: write __shared__ before
        out[threadIdx.x] = in[threadIdx.x];
}

struct Eight {
    float x[8];
};

__global__ void of_a_struct(float *out, const float *in) {
    Eight eight;
    eight.x[threadIdx.x % 8] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = eight.x[7 - threadIdx.x % 8]; // expect: uninitialized-read // says: of a local array of
}

int main() {
    float *in = device_floats(64), *out[5], host[64];
    for (int i = 0; i < 5; i++)
        out[i] = device_floats(64);
    reverse<<<1, 64>>>(out[0], in);
    tree<<<1, 64>>>(out[1], in);
    one_per_warp<<<1, 64>>>(out[2], in);
    order_of_local<<<1, 64>>>(out[3], in);
    of_a_struct<<<1, 64>>>(out[4], in);
    finish();
    for (int i = 0; i < 5; i++) {
        CHECK(cudaMemcpy(host, out[i], sizeof host, cudaMemcpyDeviceToHost));
        CHECK(cudaFree(out[i]));
    }
    CHECK(cudaFree(in));
}
