#include "mistake.h"

/* The last thread of each block stores nothing: every 64th element has no value. */
__global__ void through_shared(float *out, const float *in) {
    __shared__ float tile[64];
    int lane = threadIdx.x, i = blockIdx.x * 64 + lane;
    if (lane != 63) tile[lane] = in[i];
    __syncthreads();
    out[i] = tile[lane]; // expect: uninitialized-read
}

/* A halo that is one too short: its last element is read by the last thread of each block. */
__global__ void short_halo(float *out, const float *in, int n) {
    __shared__ float tile[64 + 2];
    int lane = threadIdx.x, i = blockIdx.x * 64 + lane;
    tile[lane + 1] = in[i];
    if (lane == 0) tile[0] = i > 0 ? in[i - 1] : 0.0f;
    __syncthreads();
    out[i] = (tile[lane] + tile[lane + 1] + tile[lane + 2]) / 3; // expect: uninitialized-read
}

__global__ void one_in_eight(short *out) {
    if (threadIdx.x % 8 != 7) out[threadIdx.x] = threadIdx.x;
}

__global__ void some_pairs(float2 *out) {
    out[threadIdx.x].x = 1;
    if (threadIdx.x % 4) out[threadIdx.x].y = 2;
}

int main() {
    float *in = device_floats(256), *out = nullptr;
    short *shorts = nullptr, host_shorts[64];
    float2 *pairs = nullptr, host_pairs[64];
    std::vector<float> host(256);
    CHECK(cudaMalloc(&out, 256 * sizeof(float)));
    CHECK(cudaMalloc(&shorts, sizeof host_shorts));
    CHECK(cudaMalloc(&pairs, sizeof host_pairs));
    through_shared<<<4, 64>>>(out, in);
    finish();
    CHECK(cudaMemcpy(host.data(), out, 256 * sizeof(float), cudaMemcpyDeviceToHost));
    short_halo<<<4, 64>>>(out, in, 256);
    finish();
    CHECK(cudaMemcpy(host.data(), out, 256 * sizeof(float), cudaMemcpyDeviceToHost));
    one_in_eight<<<1, 64>>>(shorts);
    some_pairs<<<1, 64>>>(pairs);
    finish();
    size_t bytes = sizeof host_shorts;
    CHECK(cudaMemcpy(host_shorts, shorts, bytes, cudaMemcpyDeviceToHost)); // expect: uninitialized-read
    bytes = sizeof host_pairs;
    CHECK(cudaMemcpy(host_pairs, pairs, bytes, cudaMemcpyDeviceToHost)); // expect: uninitialized-read
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(shorts));
    CHECK(cudaFree(pairs));
}
