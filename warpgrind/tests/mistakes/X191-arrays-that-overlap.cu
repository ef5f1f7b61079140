/* One allocation for two arrays, the second of which begins too early: each is right by itself, and an element has two names. */
#include "mistake.h"

enum { N = 256, THREADS = 64 };

__global__ void shift(float *next, const float *rod, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float place = rod[i]; // also: global-race
    next[i] = place + 1;  // expect: global-race // says: next begins 512 bytes after rod, in the same allocation
}

__global__ void back(float *next, const float *rod, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float place = rod[i]; // also: global-race
    next[i] = place + 1;  // expect: global-race // says: rod begins 512 bytes after next, in the same allocation
}

/* The halves do not overlap: it is the index that leads below the second. */
__global__ void below(float *low, const float *high, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    low[i] = high[i - 64]; // expect: global-race // says: Let every thread (or block) write elements
}

/* As above, and each half has room for all. */
__global__ void apart(float *next, const float *rod, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) next[i] = rod[i] + 1; // near: global-race
}

int main() {
    float *x = device_floats(3 * N), h[N];
    shift<<<N / THREADS, THREADS>>>(x + N / 2, x, N);
    back<<<N / THREADS, THREADS>>>(x, x + N / 2, N);
    below<<<N / THREADS, THREADS>>>(x, x + N, N);
    apart<<<N / THREADS, THREADS>>>(x + N, x, N);
    finish();
    CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    return h[1] < 0;
}
