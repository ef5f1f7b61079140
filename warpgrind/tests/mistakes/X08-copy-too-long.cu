#include "mistake.h"

int main() {
    std::vector<float> h(64);
    float *z = nullptr;
    CHECK(cudaMalloc(&z, 32 * sizeof(float)));
    CHECK(cudaMemcpy(z, h.data(), 64 * sizeof(float), cudaMemcpyHostToDevice)); // expect: out-of-bounds
    CHECK(cudaFree(z));
}
