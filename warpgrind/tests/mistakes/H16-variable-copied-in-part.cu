#include "mistake.h"

__constant__ float weights[16];
__device__ int offsets[8];
__device__ float first[16], second[16];

__global__ void use(float *z) {
    z[threadIdx.x] = weights[threadIdx.x % 16] + (float)offsets[threadIdx.x % 8] + first[threadIdx.x % 16] + second[0];
}

int main() {
    float *z = nullptr, *place = nullptr, w[16] = {1, 2, 3, 4}, h[64] = {};
    int o[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(cudaMalloc(&z, sizeof h));
    CHECK(cudaMemcpyToSymbol(weights, w, 16)); // expect-note: api-misuse; 16 floats are 64 bytes
    CHECK(cudaMemcpyToSymbol(offsets, o, 8));
    CHECK(cudaMemcpyToSymbol(offsets, o + 2, 20, 8)); // expect-note: api-misuse; one is left // says: Length and offset count bytes
    CHECK(cudaMemcpyToSymbol(second, w, sizeof w + 32));   // expect: out-of-bounds
    CHECK(cudaMemcpyFromSymbol(h, first, sizeof first * 2)); // expect: out-of-bounds
    CHECK(cudaGetSymbolAddress((void **)&place, first));
    CHECK(cudaMemcpy(place, h, 2 * sizeof first, cudaMemcpyHostToDevice)); // expect: out-of-bounds
    CHECK(cudaMemset(place + 8, 0, 40));                                   // expect: out-of-bounds
    use<<<1, 64>>>(z);
    CHECK(cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(z));
    printf("%g\n", h[5]);
}
