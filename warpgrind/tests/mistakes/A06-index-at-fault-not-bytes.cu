#include "mistake.h"

__global__ void fill(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i / 4] = i; // expect: global-race // first // says: same index
}

int main(void) {
    float *d_out;
    std::vector<float> out(1024);
    CHECK(cudaMalloc(&d_out, 1024 * sizeof(float)));
    fill<<<4, 256>>>(d_out, 1024);
    finish();
    CHECK(cudaMemcpy(out.data(), d_out, 1024 * sizeof(float), cudaMemcpyDeviceToHost)); // expect: uninitialized-read // says: the kernel fill wrote
    cudaFree(d_out);
    return 0;
}
