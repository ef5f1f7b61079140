/* unoptimised: an optimiser shifts first and chooses afterwards, so that nothing is told of its code */
/* A number of 32 bits that is shifted by 32 or more, or by less than 0: undefined, though a card gives 0. */
#include "mistake.h"

__global__ void low_bits(unsigned *masks) {
    const unsigned n = threadIdx.x + 1;
    masks[threadIdx.x] = (1u << n) - 1; // expect-note: api-misuse // says: shifts a number of 32 bits by 32
}

__device__ int halved(int value, int times) {
    return value >> times; // expect-note: api-misuse // says: shifts a number of 32 bits by -1
}

__global__ void others(unsigned *out, unsigned long long wide, int n) {
    out[threadIdx.x] = halved(-7, n - 1);
    out[threadIdx.x] += (unsigned)(wide >> (64 - n)); // expect-note: api-misuse // says: shifts a number of 64 bits by 64
    out[threadIdx.x] <<= 31 + n;                      // near-note: api-misuse
    out[threadIdx.x] += (unsigned)(wide >> (63 - n)); // near-note: api-misuse
}

int main() {
    unsigned *out = nullptr, h[32];
    CHECK(cudaMalloc(&out, sizeof h));
    low_bits<<<1, 32>>>(out);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    others<<<1, 32>>>(out, 1ull << 40, 0);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    return h[0] == 12345;
}
