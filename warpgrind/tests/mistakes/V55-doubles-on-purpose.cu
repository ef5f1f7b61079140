#include "mistake.h"

__global__ void scale(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = z[i] * 1.1f + sqrtf(2.0f); // near-note: double-precision
}

__global__ void integrate(double *out, const double *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 0.5 * sqrt(in[i]); // near-note: double-precision; a kernel for doubles
}

__global__ void add_up(double *sum, const float *z, int n) {
    double own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own += z[i];                             // near-note: double-precision; the sum is a double
    for (int d = 16; d > 0; d /= 2)
        own += __shfl_down_sync(~0u, own, d);    // near-note: double-precision; nothing is rounded back
    if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}

__global__ void show(const float *z) {
    if (threadIdx.x == 0 && blockIdx.x == 0) printf("%.1f\n", z[0]); // near-note: double-precision; printf widens
}

int main() {
    const int n = 16384;
    float *z = device_floats(n);
    double *a = nullptr, *b = nullptr;
    CHECK(cudaMalloc(&a, n * sizeof(double)));
    CHECK(cudaMalloc(&b, n * sizeof(double)));
    CHECK(cudaMemset(a, 0, n * sizeof(double)));
    scale<<<64, 256>>>(z, n);
    integrate<<<64, 256>>>(b, a, n);
    CHECK(cudaMemset(b, 0, n * sizeof(double)));
    add_up<<<8, 256>>>(b, z, n);
    show<<<64, 256>>>(z);
    finish();
    CHECK(cudaFree(z));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}
