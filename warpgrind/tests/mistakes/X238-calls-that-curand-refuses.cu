/* Calls of cuRAND that make no number, and whose status nobody looks at. */
/* links: -lcurand */
#include "mistake.h"

#include <curand.h>

enum { N = 101 };

int main() {
    float *d = nullptr, h[N];
    unsigned *words = nullptr;
    unsigned long long *wide = nullptr;
    curandGenerator_t none = nullptr, g = nullptr, sobol = nullptr;
    CHECK(cudaMalloc(&d, (N + 1) * sizeof *d));
    CHECK(cudaMalloc(&words, N * sizeof *words));
    CHECK(cudaMalloc(&wide, N * sizeof *wide));
    curandGenerateUniform(none, d, N); // expect: api-misuse // says: Call curandCreateGenerator(&generator, type) before
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW);
    curandGenerateNormal(g, d, N, 0, 1);     // expect: api-misuse // says: made two at a time
    curandGenerateLongLong(g, wide, N);      // expect: api-misuse // says: for 64-bit Sobol generators alone
    curandGenerateNormal(g, d, N + 1, 0, 1); // near: api-misuse
    curandGenerateUniform(g, d, N);          // near: api-misuse
    curandGenerate(g, words, N);             // near: api-misuse
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    curandCreateGenerator(&sobol, CURAND_RNG_QUASI_SOBOL32);
    curandSetQuasiRandomGeneratorDimensions(sobol, 2);
    curandGenerateUniform(sobol, d, N);     // expect: api-misuse // says: no multiple of the 2 dimensions
    curandGenerateUniform(sobol, d, N + 1); // near: api-misuse
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    curandDestroyGenerator(g);
    curandDestroyGenerator(sobol);
    CHECK(cudaFree(d));
    CHECK(cudaFree(words));
    CHECK(cudaFree(wide));
    return h[0] > 10;
}
