#include "mistake.h"

/* Four short rows of plain memory: the width is a quarter of it, and no mistake. */
int main() {
    float h[4][16] = {}, *z = nullptr;
    CHECK(cudaMalloc(&z, sizeof h));
    CHECK(cudaMemset2D(z, 64, 0, 64, 4));                                // near-note: api-misuse
    CHECK(cudaMemcpy2D(z, 64, h, 64, 64, 4, cudaMemcpyHostToDevice));    // near-note: api-misuse
    CHECK(cudaMemcpy2D(h, 64, z, 64, 64, 4, cudaMemcpyDeviceToHost));    // near-note: api-misuse
    CHECK(cudaFree(z));
    return h[3][15] != 0;
}
