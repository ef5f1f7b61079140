/* A copy of a quarter explains nothing that another array lacks. */
#include "mistake.h"

enum { N = 64 };

__global__ void add(float *z, const float *x, const float *y) {
    if (x[threadIdx.x] + y[threadIdx.x] > 0) z[threadIdx.x] = 1; // expect: uninitialized-read // first
}

int main() {
    std::vector<float> h(N, 1.0f);
    float *x = nullptr, *y = nullptr, *z = device_floats(N / 4);
    CHECK(cudaMalloc(&x, N * sizeof(float)));
    CHECK(cudaMalloc(&y, N * sizeof(float)));
    CHECK(cudaMemcpy(x, h.data(), N, cudaMemcpyHostToDevice)); // near: uninitialized-read; its kernel reads that quarter // expect-note: api-misuse
    add<<<1, N / 4>>>(z, x, y);
    finish();
    CHECK(cudaMemcpy(h.data(), z, N, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
}
