/* Races on elements of two and four words, and between accesses of two widths. */
#include "../../mistakes/mistake.h"

__global__ void doubles_of_another_warp(double *out) {
    __shared__ double s[256];
    int t = threadIdx.x;
    s[t] = t;
    out[t] = s[(t + 32) % 256]; // expect: shared-race
}

__global__ void fours_of_another_warp(float4 *out) {
    __shared__ float4 s[128];
    int t = threadIdx.x;
    s[t] = make_float4(t, t, t, t);
    out[t] = s[(t + 32) % 128]; // expect: shared-race
}

__global__ void singles_after_pairs(float *out) {
    __shared__ float2 s[128];
    int t = threadIdx.x;
    s[t] = make_float2(t, -t);
    out[t] = ((float *)s)[t]; // expect: shared-race
}

__global__ void pairs_after_singles(float2 *out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = t;
    s[t + 128] = t;
    out[t] = ((float2 *)s)[t]; // expect: shared-race
}

__global__ void read_too_long(double *out) {
    __shared__ double s[256];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    out[t] = s[(t + 64) % 256];
    s[t] = -t; // expect: shared-race
}

__global__ void same_by_blocks(double *out) {
    out[threadIdx.x] = blockIdx.x; // expect: global-race
}

__global__ void halves_by_blocks(double *out) {
    if (blockIdx.x == 0)
        out[threadIdx.x] = 1.0;
    else
        ((float *)out)[threadIdx.x] = 2.0f; // expect: global-race
}

int main() {
    float *x = device_floats(4096);
    doubles_of_another_warp<<<1, 256>>>((double *)x);
    fours_of_another_warp<<<1, 128>>>((float4 *)x);
    singles_after_pairs<<<1, 128>>>(x);
    pairs_after_singles<<<1, 128>>>((float2 *)x);
    read_too_long<<<1, 256>>>((double *)x);
    same_by_blocks<<<2, 128>>>((double *)x);
    halves_by_blocks<<<2, 128>>>((double *)x);
    finish();
    CHECK(cudaFree(x));
}
