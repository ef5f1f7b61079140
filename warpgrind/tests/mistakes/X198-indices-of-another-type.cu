/* An index past the end, by the type of what is indexed and by the type of the index. */
#include "mistake.h"

__global__ void lengths(const float4 *p, float *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = p[i].x + p[i].y + p[i].z; // expect: out-of-bounds // says: The memory has room for 60 elements of 12 bytes
}

/* As many bytes, and the number that the kernel is given counts its own elements. */
__global__ void others(const float4 *p, float *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = p[i].x; // near: out-of-bounds
}

__global__ void backwards(const float *in, float *out, unsigned n) {
    for (unsigned i = n - 1; i >= 0; i--)
        out[i & 31] = in[i]; // expect: out-of-bounds // says: As an unsigned int, -1 is 4294967295
}

int main() {
    const int n = 60;
    float3 *p = nullptr;
    float *out = device_floats(n);
    std::vector<float3> h(n, make_float3(1, 2, 3));
    CHECK(cudaMalloc(&p, n * sizeof(float3)));
    CHECK(cudaMemcpy(p, h.data(), n * sizeof(float3), cudaMemcpyHostToDevice));
    lengths<<<1, 64>>>((const float4 *)p, out, n);
    others<<<1, 64>>>((const float4 *)p, out, n * 3 / 4);
    finish();
    backwards<<<1, 1>>>(out, out, 32);
    return cudaDeviceSynchronize() == cudaSuccess;
}
