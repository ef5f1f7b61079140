#include "mistake.h"

enum { N = 128, THREADS = 256 };

__constant__ float weights[32];

__global__ void transpose(float *out, const float *in) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * N + x]; // near: uncoalesced
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * N + x] = tile[threadIdx.x][threadIdx.y + j]; // near: bank-conflict; 33 columns
}

__global__ void convolve(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 32; k++)
        if (i + k < n) sum += weights[k] * in[i + k]; // near: uncoalesced divergent-branch out-of-bounds
    if (i < n) out[i] = sum;
}

__global__ void quads(float4 *out, const float4 *in) {
    __shared__ float4 own[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    own[threadIdx.x] = in[i]; // near: bank-conflict uncoalesced; 16 bytes each, all of them used
    out[i] = own[threadIdx.x];
}

__global__ void broadcast(float *out, const float *in) {
    __shared__ float row[32];
    if (threadIdx.x < 32) row[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 32; k++) sum += row[k]; // near: bank-conflict; one word for all
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum * in[0]; // near: uncoalesced
}

__global__ void by_warps(float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x / 32 % 2 == 0) // near: divergent-branch; whole warps
        out[i] = 1;
    else
        out[i] = 2;
}

int main() {
    float *in = device_floats(4 * N * N), *out = device_floats(4 * N * N), host[32];
    for (int i = 0; i < 32; i++) host[i] = 1.0f / (1 + i);
    CHECK(cudaMemcpyToSymbol(weights, host, sizeof host));
    transpose<<<dim3(4, 4), dim3(32, 8)>>>(out, in);
    convolve<<<N * N / THREADS, THREADS>>>(out, in, N * N);
    quads<<<N * N / THREADS, THREADS>>>((float4 *)out, (const float4 *)in);
    broadcast<<<N * N / THREADS, THREADS>>>(out, in);
    by_warps<<<N * N / THREADS, THREADS>>>(out);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
