#include "mistake.h"

__global__ void add(float *z, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] += x[i]; // the second party
}

__global__ void step(int *left, int n) {
    int i = threadIdx.x;
    if (i < n) atomicSub(&left[i], 1);
}

__global__ void wide(double *z) {
    z[threadIdx.x] *= 2;
}

int main() {
    enum { N = 1000 };
    float *x = device_floats(N), *z = nullptr, h[N];
    int *left = nullptr, counts[32];
    double *d = nullptr, wider[32];
    CHECK(cudaMalloc(&z, N * sizeof(float)));
    CHECK(cudaMalloc(&left, sizeof counts));
    CHECK(cudaMalloc(&d, sizeof wider));
    CHECK(cudaMemset(z, 1, N * sizeof(float)));   // expect-note: api-misuse
    CHECK(cudaMemset(left, 10, sizeof counts));   // expect-note: api-misuse
    CHECK(cudaMemset(d, 2, sizeof wider));        // expect-note: api-misuse
    add<<<4, 256>>>(z, x, N);
    step<<<1, 32>>>(left, 32);
    wide<<<1, 32>>>(d);
    CHECK(cudaMemset(x, 1000, N * sizeof(float))); // expect-note: api-misuse; more than a byte holds
    CHECK(cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(counts, left, sizeof counts, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(wider, d, sizeof wider, cudaMemcpyDeviceToHost));
    printf("%g %d %g\n", h[0], counts[0], wider[0]);
    CHECK(cudaFree(x));
    CHECK(cudaFree(z));
    CHECK(cudaFree(left));
    CHECK(cudaFree(d));
}
