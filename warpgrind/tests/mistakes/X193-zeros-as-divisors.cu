/* A whole number divided by zero: a card does not trap, and goes on with a number that means nothing. */
#include "mistake.h"

__global__ void by_an_extent(int *out, int width) {
    int i = threadIdx.x;
    out[i] = i / width; // near: crash // expect: division-by-zero // says: divides a whole number by zero
}

__global__ void by_elements(long long *out, const int *in) {
    int i = threadIdx.x;
    out[i] =
        1000000000000ll / in[i]; // expect: division-by-zero // says: divide only where the divisor is not 0
}

__global__ void by_bytes(short *out, short width) {
    short rest = 7;
    asm("rem.s16 %0, %0, %1;" : "+h"(rest) : "h"(width)); // expect: division-by-zero
    *out = rest;
}

/* Each asks first, is a division of floats, or is by a number that is there. */
__global__ void with_care(int *out, float *floats, const int *in, int zero) {
    int i = threadIdx.x;
    out[i] = in[i] != 0 ? i / in[i] : 0;      // near: division-by-zero
    if (zero != 0 && i % zero == 0) out[i]++; // near: division-by-zero
    floats[i] = i / (float)zero;              // near: division-by-zero
    for (int d = 8; d > 0; d /= 2)
        out[i] += i / d;                                   // near: division-by-zero
    out[i] += i / (i + 1) + i % -7 + (i + 3) / (zero - 1); // near: division-by-zero
    if (i >= 16) out[i] += 100 / (i / 16);                 // near: division-by-zero
}

/* That it happens to be 0 is not what is wrong with it. */
__global__ void by_nothing(int *out, const int *never) {
    out[threadIdx.x] = 5 / never[threadIdx.x]; // near: division-by-zero // expect: uninitialized-read
}

int main() {
    int h[32], *in = nullptr, *never = nullptr, *out = nullptr;
    float *floats = device_floats(32);
    long long *wide = nullptr;
    CHECK(cudaMalloc(&in, sizeof h));
    CHECK(cudaMalloc(&never, sizeof h));
    CHECK(cudaMalloc(&out, sizeof h));
    CHECK(cudaMalloc(&wide, 32 * sizeof *wide));
    for (int i = 0; i < 32; i++)
        h[i] = i % 8;
    CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    by_an_extent<<<1, 32>>>(out, 0);
    by_elements<<<1, 32>>>(wide, in);
    by_bytes<<<1, 1>>>((short *)out, 0);
    with_care<<<1, 32>>>(out, floats, in, 0);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    by_nothing<<<1, 32>>>(out, never);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(never));
    CHECK(cudaFree(out));
    CHECK(cudaFree(wide));
    CHECK(cudaFree(floats));
    return h[0] == 12345;
}
