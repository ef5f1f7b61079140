#include "mistake.h"

__global__ void add(float *z, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + 1.0f;
}

int main() {
    const int n = 500;
    std::vector<float> h(n);
    float *x = device_floats(n), *z = nullptr;
    CHECK(cudaMalloc(&z, n * sizeof(float)));
    add<<<n / 256, 256>>>(z, x, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost)); // expect: uninitialized-read
    CHECK(cudaFree(x));
    CHECK(cudaFree(z));
}
