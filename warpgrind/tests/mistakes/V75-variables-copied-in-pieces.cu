#include "mistake.h"

__constant__ float weights[16], few[16], initial[4] = {1, 2, 3, 4};
__device__ float state[16], filled[16];

__global__ void fill(void) {
    state[threadIdx.x % 16] = 1;
}

__global__ void use(float *z, int n) {
    z[threadIdx.x] = weights[threadIdx.x % 16] + initial[threadIdx.x % 4] + state[threadIdx.x % 16] + filled[threadIdx.x % 16];
    if ((int)threadIdx.x < n) z[threadIdx.x] += few[threadIdx.x];
}

int main() {
    float *z = nullptr, *place = nullptr, w[16] = {1, 2, 3, 4}, h[32];
    CHECK(cudaMalloc(&z, sizeof h));
    for (int i = 0; i < 16; i++) CHECK(cudaMemcpyToSymbol(weights, &w[15 - i], 4, 4 * (15 - i))); // near-note: api-misuse
    CHECK(cudaMemcpyToSymbol(few, w, 12));     // near-note: api-misuse; no kernel reads more
    CHECK(cudaMemcpyToSymbol(initial, w, 8));  // near-note: api-misuse; the rest has values
    CHECK(cudaMemcpyToSymbol(state, w, 4));    // near-note: api-misuse; a kernel fills it
    CHECK(cudaMemcpyToSymbol(filled, w, 4));   // near-note: api-misuse; the rest is reached by its address
    CHECK(cudaGetSymbolAddress((void **)&place, filled));
    CHECK(cudaMemset(place, 0, sizeof filled));
    fill<<<1, 16>>>();
    use<<<1, 32>>>(z, 3);
    CHECK(cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyToSymbol(weights, w, 4)); // near-note: api-misuse; the rest is there already
    use<<<1, 32>>>(z, 3);
    CHECK(cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(z));
    return h[0] != 4.0f;
}
