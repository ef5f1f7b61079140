#include "mistake.h"

struct alignas(16) Quad {
    float x, y, z, w;
};

__global__ void halves(float *z, const float *in) {
    float4 v = ((const float4 *)in)[threadIdx.x]; // near: misaligned; cudaMalloc gives multiples of 256
    ((Quad *)z)[threadIdx.x] = Quad{v.w, v.z, v.y, v.x};
}

__global__ void members_alone(float *z, const float *in) {
    const float4 *rows = (const float4 *)(in + 2);
    z[threadIdx.x] = rows[threadIdx.x].y; // near: misaligned; one member is 4 bytes
}

__global__ void threes(float *z, const float *in) {
    const float3 *points = (const float3 *)(in + 1);
    float3 p = points[threadIdx.x]; // near: misaligned; a float3 is aligned like one float
    z[threadIdx.x] = p.x + p.y + p.z;
}

__global__ void behind_a_header(double *out, const char *message) {
    const double *body = (const double *)(message + 24); // near: misaligned; 24 is a multiple of 8
    out[threadIdx.x] = body[threadIdx.x];
}

__global__ void two_arrays(double *out, int n) {
    extern __shared__ char bytes[];
    int *counts = (int *)bytes;
    double *sums = (double *)(bytes + (n * sizeof(int) + 7) / 8 * 8); // near: misaligned; rounded up
    counts[threadIdx.x] = threadIdx.x;
    sums[threadIdx.x] = counts[threadIdx.x] * 0.5;
    out[threadIdx.x] = sums[threadIdx.x];
}

int main() {
    float *in = device_floats(128), *z = device_floats(128);
    double *out = nullptr;
    char *message = nullptr;
    CHECK(cudaMalloc(&out, 32 * sizeof(double)));
    CHECK(cudaMalloc(&message, 24 + 32 * sizeof(double)));
    CHECK(cudaMemset(message, 0, 24 + 32 * sizeof(double)));
    halves<<<1, 32>>>(z, in);
    members_alone<<<1, 31>>>(z, in);
    threes<<<1, 32>>>(z, in);
    behind_a_header<<<1, 32>>>(out, message);
    two_arrays<<<1, 31, 31 * sizeof(int) + 4 + 31 * sizeof(double)>>>(out, 31);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(z));
    CHECK(cudaFree(out));
    CHECK(cudaFree(message));
}
