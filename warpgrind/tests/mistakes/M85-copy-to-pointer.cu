#include "mistake.h"

int main() {
    float h[4] = {1, 2, 3, 4}, *d = nullptr;
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaMemcpyToSymbol((const void *)&d, h, sizeof h)); // expect: api-misuse
    CHECK(cudaFree(d));
}
