#include "mistake.h"

__global__ void add(float *sum, const float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] += z[i];
}

int main() {
    const int n = 1000;
    std::vector<float> h(n);
    float *z = nullptr, *sum = device_floats(n);
    CHECK(cudaMalloc(&z, n * sizeof(float)));
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < n; i++) h[i] = (float)(i + round);
        CHECK(cudaMemcpy(z, h.data(), n * sizeof(float), cudaMemcpyHostToDevice)); // near: api-misuse
        add<<<4, 256>>>(sum, z, n);
    }
    CHECK(cudaMemcpy(h.data(), sum, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(z));
    CHECK(cudaFree(sum));
}
