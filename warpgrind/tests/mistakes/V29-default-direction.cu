#include "mistake.h"

int main() {
    std::vector<float> h(64, 2.0f);
    float *a = nullptr, *b = nullptr;
    CHECK(cudaMalloc(&a, 256));
    CHECK(cudaMalloc(&b, 256));
    CHECK(cudaMemcpy(a, h.data(), 256, cudaMemcpyDefault)); // near: api-misuse
    CHECK(cudaMemcpy(b, a, 256, cudaMemcpyDefault));
    CHECK(cudaMemcpy(h.data(), b, 256, cudaMemcpyDefault));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}
