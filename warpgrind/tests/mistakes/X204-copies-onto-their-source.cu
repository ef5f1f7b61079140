/* A copy within the device whose two sides overlap: which bytes it takes is not fixed. */
#include "mistake.h"

__global__ void fill(int *z) {
    z[threadIdx.x] = threadIdx.x;
}

int main() {
    const int n = 256;
    int *d = nullptr, h[n];
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    fill<<<1, n>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(d + 1, d, (n - 1) * sizeof(int), cudaMemcpyDeviceToDevice)); // expect: api-misuse // says: begins 4 bytes after the source, so that 1,016 bytes belong to both
    CHECK(cudaMemcpyAsync(d, d + 100, 101 * sizeof(int), cudaMemcpyDeviceToDevice, s)); // expect: api-misuse // says: begins 400 bytes before the source, so that 4 bytes belong to both
    CHECK(cudaMemcpy(d, d + 1, 2 * sizeof(int), cudaMemcpyDefault));                    // expect: api-misuse // says: may not overlap
    CHECK(cudaMemcpy(d + n / 2, d, n / 2 * sizeof(int), cudaMemcpyDeviceToDevice));     // near: api-misuse
    CHECK(cudaMemcpy(d, d + n / 2, n / 2 * sizeof(int), cudaMemcpyDeviceToDevice));     // near: api-misuse
    CHECK(cudaMemcpy(d, d, n * sizeof(int), cudaMemcpyDeviceToDevice));                 // near: api-misuse
    CHECK(cudaMemcpy2D(d, 32, d + 4, 32, 16, 8, cudaMemcpyDeviceToDevice));             // near: api-misuse
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
    return h[1] < 0;
}
