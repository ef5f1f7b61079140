/* unoptimised: the optimiser drops a malloc whose memory nobody else sees */
#include "mistake.h"

__global__ void scratch(float *out, const float *in) {
    float *own = (float *)malloc(4 * sizeof(float)); // expect: leak
    if (own == nullptr) return;
    for (int i = 0; i < 4; i++)
        own[i] = in[threadIdx.x] * i;
    out[threadIdx.x] = own[1] + own[3];
}

__global__ void by_new(float *out, const float *in) {
    float *own = new float[2]; // expect: leak
    own[0] = in[threadIdx.x];
    own[1] = own[0] + 1;
    out[threadIdx.x] = own[1];
    if (threadIdx.x % 2) delete[] own;
}

__device__ float *kept;

__global__ void keep(float value) {
    kept = (float *)malloc(sizeof(float)); // expect: leak
    *kept = value;
}

int main() {
    float *in = device_floats(64), *out = nullptr;
    CHECK(cudaMalloc(&out, 64 * sizeof(float)));
    scratch<<<1, 64>>>(out, in);
    by_new<<<1, 64>>>(out, in);
    keep<<<1, 1>>>(3);
    keep<<<1, 1>>>(4);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
