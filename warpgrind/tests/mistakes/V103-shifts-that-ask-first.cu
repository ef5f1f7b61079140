/* Shifts whose amount is too large only where the result is not wanted, is cut to the bits there are, or belongs to a number of 128 bits. */
#include "mistake.h"

__global__ void guarded(unsigned *out, unsigned n, __int128 *wide) {
    n += threadIdx.x;
    unsigned sum = n < 32 ? 1u << n : 0; // near-note: api-misuse
    sum += n < 32 && (1u << n) > 5;      // near-note: api-misuse
    if (n < 32) sum += 0xffffffffu >> n; // near-note: api-misuse
    sum += 7u << (n & 31);               // near-note: api-misuse
    sum += 1u << 31 << 1;                // near-note: api-misuse
    out[threadIdx.x] = sum;
    wide[threadIdx.x] = (__int128)sum << n >> (n / 2); // near-note: api-misuse
}

/* The number lies in memory for a function that is not inlined, also in optimised code. */
__device__ __noinline__ unsigned changed(unsigned *n) {
    return *n *= 2;
}

__global__ void kept(unsigned *out, unsigned n) {
    const unsigned sum = changed(&n);
    out[threadIdx.x] = n < 32 ? sum << n : sum; // near-note: api-misuse
}

int main() {
    unsigned *out = nullptr, h[64];
    __int128 *wide = nullptr;
    CHECK(cudaMalloc(&out, sizeof h));
    CHECK(cudaMalloc(&wide, 64 * sizeof *wide));
    guarded<<<1, 64>>>(out, 0, wide);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    kept<<<1, 64>>>(out, 20);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    __int128 last;
    CHECK(cudaMemcpy(&last, wide + 63, sizeof last, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    CHECK(cudaFree(wide));
    return h[0] == 12345 && last == 0;
}
