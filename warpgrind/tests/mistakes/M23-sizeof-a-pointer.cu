#include "mistake.h"

__global__ void positive(int *out, const float *in) {
    out[threadIdx.x] = in[threadIdx.x] > 0 ? 1 : 0; // expect: uninitialized-read
}

static void upload(float *d, const float *h) {
    CHECK(cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice)); // expect-note: api-misuse // first
}

int main() {
    float h[64] = {1}, *d = nullptr;
    int *out = nullptr;
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaMalloc(&out, 64 * sizeof(int)));
    upload(d, h);
    positive<<<1, 64>>>(out, d);
    finish();
    int h_out[64];
    CHECK(cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    CHECK(cudaFree(out));
}
