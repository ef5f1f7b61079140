#include "mistake.h"

#include <cstring>

static void upload(float *d, float value, cudaStream_t s) {
    float local[4] = {value, value, value, value};
    CHECK(cudaMemcpyAsync(d, local, sizeof local, cudaMemcpyHostToDevice, s)); // expect-note: missing-sync api-misuse; it leaves
}

int main() {
    enum { N = 1 << 18, BYTES = N * sizeof(float) };
    float *d = nullptr, *e = nullptr;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&d, BYTES));
    CHECK(cudaMalloc(&e, 32));
    std::vector<float> h(N, 1.0f);
    CHECK(cudaMemcpyAsync(d, h.data(), BYTES, cudaMemcpyHostToDevice, s)); // expect-note: missing-sync api-misuse; changed
    h[0] = 2.0f;
    CHECK(cudaStreamSynchronize(s));
    float *big = (float *)malloc(BYTES);
    memset(big, 1, BYTES);
    CHECK(cudaMemcpyAsync(d, big, BYTES, cudaMemcpyHostToDevice, s)); // expect-note: missing-sync api-misuse; freed
    free(big);
    CHECK(cudaStreamSynchronize(s));
    upload(e, 1, s);
    upload(e + 4, 2, s);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(h.data(), d, BYTES, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    CHECK(cudaFree(e));
    CHECK(cudaStreamDestroy(s));
    printf("%g\n", h[0]);
}
