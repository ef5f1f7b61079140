#include "mistake.h"

int main() {
    enum { N = 1 << 16 };
    std::vector<float> h(N, 1.0f);
    float *d = nullptr;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&d, N * sizeof(float)));
    CHECK(cudaMemcpyAsync(d, h.data(), N * sizeof(float), cudaMemcpyHostToDevice, s)); // expect-note: api-misuse
    CHECK(cudaMemcpyAsync(h.data(), d, N * sizeof(float), cudaMemcpyDeviceToHost, s)); // expect-note: api-misuse
    CHECK(cudaStreamSynchronize(s));
    printf("%g\n", h[N - 1]);
    CHECK(cudaFree(d));
    CHECK(cudaStreamDestroy(s));
}
