// says: copies the memory allocated at line 19 to the host, but elements 32..63 of 64 were never written
// says: pair.from[5000] of 64: block 0, thread 0 reads 4,937 elements past the end of pair.from
// says: copies alone to the host
#include "../../mistakes/mistake.h"
// The host's array has the name of the kernel's parameter only where no other has it too.
struct Pair {
    float *from, *to;
};
__global__ void fill(float *x, int n) {
    if ((int)threadIdx.x < n) x[threadIdx.x] = 1;
}
__global__ void copy(Pair pair) { pair.to[threadIdx.x] = pair.from[threadIdx.x + 5000]; }
__global__ void some(float *alone) {
    if (threadIdx.x % 2) alone[threadIdx.x] = 1;
}
int main() {
    float h[64], *a, *b, *c;
    CHECK(cudaMalloc(&a, sizeof h));
    CHECK(cudaMalloc(&b, sizeof h));
    CHECK(cudaMalloc(&c, sizeof h));
    fill<<<1, 64>>>(a, 64);
    fill<<<1, 64>>>(b, 32);
    some<<<1, 64>>>(c);
    CHECK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost));
    copy<<<1, 64>>>(Pair{a, b});
    finish();
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
}
