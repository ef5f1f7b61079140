#include "mistake.h"

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

static void upload(float *d, const float *h) {
    CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice)); // expect-note: api-misuse; of the pointer
}

int main() {
    enum { N = 64 };
    std::vector<float> h(N, 1.0f), back(N);
    float *d = nullptr, *e = nullptr, *f = nullptr;
    CHECK(cudaMalloc(&d, N * sizeof(float)));
    CHECK(cudaMalloc(&e, 3 * N * sizeof(float)));
    CHECK(cudaMalloc(&f, 3 * N * sizeof(float)));
    CHECK(cudaMemcpy(d, &h, N * sizeof(float), cudaMemcpyHostToDevice)); // expect: api-misuse
    CHECK(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));          // expect: api-misuse
    CHECK(cudaMemcpy(d, h.data(), N * sizeof(float), cudaMemcpyHostToDevice));
    twice<<<1, 64>>>(d, N);
    CHECK(cudaMemcpy(back.data(), d, N * sizeof(float), cudaMemcpyDeviceToHost));
    upload(f, h.data());
    CHECK(cudaMemset(e, 0, sizeof e)); // expect-note: api-misuse; of the pointer
    CHECK(cudaFree(d));
    CHECK(cudaFree(e));
    CHECK(cudaFree(f));
    printf("%g\n", back[1]);
}
