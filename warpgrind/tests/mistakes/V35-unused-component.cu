#include "mistake.h"

__global__ void copy(float4 *out, const float4 *in) {
    float4 value = in[threadIdx.x];
    out[threadIdx.x] = value; // near: uninitialized-read
}

__global__ void use(float *z, const float4 *in) {
    if (in[threadIdx.x].x > 0) z[threadIdx.x] = in[threadIdx.x].y;
}

__global__ void make(float4 *out) {
    out[threadIdx.x].x = 1;
    out[threadIdx.x].y = 2;
}

int main() {
    float4 *a = nullptr, *b = nullptr;
    float *z = device_floats(32);
    CHECK(cudaMalloc(&a, 32 * sizeof(float4)));
    CHECK(cudaMalloc(&b, 32 * sizeof(float4)));
    make<<<1, 32>>>(a);
    copy<<<1, 32>>>(b, a);
    use<<<1, 32>>>(z, b);
    finish();
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(z));
}
