#include "mistake.h"

__global__ void fill(float *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = i; // expect-note: global-race // first // says: blockIdx.x is missing
}

int main(void) {
    float *d_out;
    std::vector<float> out(1024);
    CHECK(cudaMalloc(&d_out, 1024 * sizeof(float)));
    fill<<<4, 256>>>(d_out, 1024);
    finish();
    CHECK(cudaMemcpy(out.data(), d_out, 1024 * sizeof(float), cudaMemcpyDeviceToHost)); // expect: uninitialized-read
    cudaFree(d_out);
    return 0;
}
