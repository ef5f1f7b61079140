#include "mistake.h"

__global__ void columns(float *out) {
    __shared__ float tile[32][32];
#pragma unroll 1 // or four stores become a wide one
    for (int k = 0; k < 32; k++) tile[threadIdx.x][k] = (float)k; // expect-note: bank-conflict
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 32; k++) sum += tile[threadIdx.x][k];
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

int main() {
    float *out = device_floats(32 * 64);
    columns<<<64, 32>>>(out);
    finish();
    CHECK(cudaFree(out));
}
