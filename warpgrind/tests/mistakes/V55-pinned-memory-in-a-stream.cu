/* expect-none: pinned and registered memory in a stream, and ordinary memory in the default stream. */
#include "mistake.h"

int main() {
    enum { N = 1 << 16 };
    std::vector<float> h(N, 1.0f), usual(N, 2.0f);
    float *d = nullptr, *pinned = nullptr;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&d, N * sizeof(float)));
    CHECK(cudaMallocHost(&pinned, N * sizeof(float)));
    CHECK(cudaHostRegister(h.data(), N * sizeof(float), 0));
    CHECK(cudaMemcpyAsync(d, h.data(), N * sizeof(float), cudaMemcpyHostToDevice, s));      // near: api-misuse
    CHECK(cudaMemcpyAsync(pinned, d, N * sizeof(float), cudaMemcpyDeviceToHost, s));        // near: api-misuse
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpyAsync(d, usual.data(), N * sizeof(float), cudaMemcpyHostToDevice));     // near: api-misuse
    CHECK(cudaDeviceSynchronize());
    printf("%g\n", pinned[N - 1]);
    CHECK(cudaHostUnregister(h.data()));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(d));
    CHECK(cudaStreamDestroy(s));
}
