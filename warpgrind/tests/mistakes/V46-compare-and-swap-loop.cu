#include "mistake.h"

/* The guess is read plainly, as in the programming guide: the swap finds out when it was stale. */
__device__ void add_plain(float *place, float value) {
    unsigned *word = (unsigned *)place, old = *word, seen; // near: shared-race global-race
    do {
        seen = old;
        old = atomicCAS(word, seen, __float_as_uint(value + __uint_as_float(seen)));
    } while (old != seen);
}

__device__ void add_volatile(float *place, float value) {
    unsigned *word = (unsigned *)place, old = *(volatile unsigned *)place, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __float_as_uint(value + __uint_as_float(seen)));
    } while (old != seen);
}

__global__ void sum(float *out) {
    __shared__ float block;
    if (threadIdx.x == 0) block = 0.0f;
    __syncthreads();
    add_plain(&block, 1.0f);
    __syncthreads();
    if (threadIdx.x == 0) add_plain(&out[0], block);
    if (threadIdx.x == 0) add_volatile(&out[1], block);
}

int main() {
    float *out = nullptr, h[2];
    CHECK(cudaMalloc(&out, sizeof h));
    CHECK(cudaMemset(out, 0, sizeof h));
    sum<<<8, 64>>>(out);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    return h[0] == 512.0f && h[1] == 512.0f ? 0 : 1;
}
