#include "mistake.h"

__constant__ float factors[4];

int main() {
    float h[16] = {0}, *d = nullptr;
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaFree(nullptr));                           // near: api-misuse; as free does
    CHECK(cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice)); // near: api-misuse; nothing to copy
    CHECK(cudaMemset(d + 8, 0, 8 * sizeof(float)));     // near: api-misuse; the second half
    CHECK(cudaMemcpy(d, h, 8 * sizeof(float), cudaMemcpyHostToDevice)); // near: out-of-bounds uninitialized-read
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyToSymbol(factors, h, 2 * sizeof(float), 2 * sizeof(float))); // near: api-misuse out-of-bounds
    void *address = nullptr;
    CHECK(cudaGetSymbolAddress(&address, factors));
    CHECK(cudaMemcpy(address, h, sizeof factors, cudaMemcpyHostToDevice)); // near: host-device-pointer
    size_t pitch = 0;
    char *rows = nullptr, back[3 * 40];
    CHECK(cudaMallocPitch((void **)&rows, &pitch, 40, 3));
    CHECK(cudaMemset2D(rows, pitch, 7, 40, 3));
    CHECK(cudaMemcpy2D(back, 40, rows, pitch, 40, 3, cudaMemcpyDeviceToHost)); // near: uninitialized-read; not the gaps
    CHECK(cudaFree(rows));
    CHECK(cudaFree(d));
}
