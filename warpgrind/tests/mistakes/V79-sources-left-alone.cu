#include "mistake.h"

int main() {
    enum { N = 1 << 18, BYTES = N * sizeof(float) };
    float *d = nullptr, *pinned = nullptr;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&d, BYTES));
    CHECK(cudaMallocHost(&pinned, BYTES));
    std::vector<float> h(N, 1.0f);
    CHECK(cudaMemcpyAsync(d, h.data(), BYTES, cudaMemcpyHostToDevice, s)); // near-note: missing-sync; read only
    float sum = h[0] + h[N - 1];
    CHECK(cudaStreamSynchronize(s));
    h[0] = 2.0f;
    CHECK(cudaMemcpyAsync(d, h.data(), BYTES, cudaMemcpyHostToDevice, 0)); // near-note: missing-sync; waited for
    CHECK(cudaDeviceSynchronize());
    h = std::vector<float>(N, 3.0f);
    pinned[5] = 1.0f;
    CHECK(cudaMemcpyAsync(d + 5, pinned + 5, 4, cudaMemcpyHostToDevice, s)); // near-note: missing-sync
    CHECK(cudaStreamSynchronize(s));
    pinned[5] = 2.0f;
    CHECK(cudaMemcpy(h.data(), d, BYTES, cudaMemcpyDeviceToHost));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(d));
    CHECK(cudaStreamDestroy(s));
    return sum != 2.0f;
}
