#include "mistake.h"

__global__ void strided(float *out) {
    __shared__ float s[32 * 64];
    int tid = threadIdx.x;
#pragma unroll 1 // or four stores become a wide one
    for (int k = 0; k < 32; k++) s[tid * 32 + k] = 1; // expect-note: bank-conflict // says: Let neighbouring threads use neighbouring elements
    __syncthreads();
    out[blockIdx.x * 64 + tid] = s[tid * 32];
}

__global__ void transposed(float *out, const float *in) {
    __shared__ float tile[32][32];
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(threadIdx.y + j) * 32 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        out[(blockIdx.x * 32 + threadIdx.y + j) * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j]; // expect-note: bank-conflict
}

int main() {
    float *in = device_floats(1024), *out = device_floats(64 * 1024);
    strided<<<16, 64>>>(out);
    transposed<<<64, dim3(32, 8)>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
