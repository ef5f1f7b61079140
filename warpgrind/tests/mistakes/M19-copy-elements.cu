#include "mistake.h"

__global__ void decide(float *z, const float *x, int n) {
    int i = threadIdx.x;
    if (i < n) z[i] = x[i] > 0 ? 1.0f : -1.0f; // expect: uninitialized-read
}

int main() {
    const int n = 256;
    std::vector<float> h(n, 1.0f);
    float *x = nullptr, *z = device_floats(n);
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMemcpy(x, h.data(), n, cudaMemcpyHostToDevice)); // expect-note: api-misuse // first
    decide<<<1, n>>>(z, x, n);
    finish();
    CHECK(cudaMemcpy(h.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(z));
}
