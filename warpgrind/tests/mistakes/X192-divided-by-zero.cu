/* A group has 64 threads, and so a block of 32 has none. */
#include "mistake.h"

__global__ void group_of_each(int *out) {
    unsigned groups = blockDim.x / 64;       // near: division-by-zero
    out[threadIdx.x] = threadIdx.x % groups; // expect: division-by-zero // says: takes the remainder
}

int main() {
    int h[32], *out = nullptr;
    CHECK(cudaMalloc(&out, sizeof h));
    group_of_each<<<1, 32>>>(out);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    printf("thread 31 belongs to group %d\n", h[31]);
}
