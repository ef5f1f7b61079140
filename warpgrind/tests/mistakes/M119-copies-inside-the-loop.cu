#include "mistake.h"

__global__ void step(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 0.5f * z[i] + 1.0f;
}

int main() {
    const int n = 1000;
    std::vector<float> h(n, 3.0f);
    float *z = nullptr;
    CHECK(cudaMalloc(&z, n * sizeof(float)));
    for (int round = 0; round < 20; round++) {
        CHECK(cudaMemcpy(z, h.data(), n * sizeof(float), cudaMemcpyHostToDevice)); // expect-note: api-misuse
        step<<<4, 256>>>(z, n);
        CHECK(cudaMemcpy(h.data(), z, n * sizeof(float), cudaMemcpyDeviceToHost));
    }
    CHECK(cudaFree(z));
}
