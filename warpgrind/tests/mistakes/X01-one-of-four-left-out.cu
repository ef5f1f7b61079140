#include "mistake.h"

// The hole is as wide as the numbers: no compiler has left it.
__global__ void numbers(char *raw) {
    int *out = (int *)raw;
    if (threadIdx.x != 1) out[threadIdx.x] = threadIdx.x;
}

int main() {
    int h[4];
    char *raw = nullptr;
    CHECK(cudaMalloc(&raw, sizeof h));
    numbers<<<1, 4>>>(raw);
    finish();
    CHECK(cudaMemcpy(h, raw, sizeof h, cudaMemcpyDeviceToHost)); // expect: uninitialized-read
    CHECK(cudaFree(raw));
    printf("%d\n", h[0]);
}
