/* What a copy brings was never written at all, be it a row, a half or the whole of an array: the first two are part of one that has values. */
#include "mistake.h"

__global__ void fill(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = (float)i;
}

int main() {
    const int n = 1024, part = n / 4;
    float *some = nullptr, *none = nullptr, h[n];
    CHECK(cudaMalloc(&some, sizeof h));
    CHECK(cudaMalloc(&none, sizeof h));
    fill<<<n / 64, 64>>>(some, part);
    finish();
    CHECK(cudaMemcpy(h, some, part * sizeof(float), cudaMemcpyDeviceToHost)); // near: uninitialized-read
    CHECK(cudaMemcpy(h, some + 2 * part, 2 * part * sizeof(float), cudaMemcpyDeviceToHost)); // expect: uninitialized-read // says: elements 512..1023 of 1,024 were never written
    CHECK(cudaMemcpy2D(h, 64, some, part * sizeof(float), 64, 4, cudaMemcpyDeviceToHost));   // expect: uninitialized-read // says: the kernel fill wrote them, and left these out
    CHECK(cudaMemcpy(h, none, sizeof h, cudaMemcpyDeviceToHost));                            // expect: uninitialized-read // says: nothing was ever written to it
    CHECK(cudaFree(some));
    CHECK(cudaFree(none));
    return h[0] < 0;
}
