// says: thread 32 of block 0 reads x[0] and thread
// says: updates it atomically with no barrier between them
// says: Put __syncthreads() between them.
#include "../../mistakes/mistake.h"

__global__ void mixed(int *x, int *out) {
    if (threadIdx.x < 32)
        atomicAdd(x, 1);
    else
        out[threadIdx.x] = x[0];
}

int main() {
    int *x, *out;
    CHECK(cudaMalloc(&x, 4));
    CHECK(cudaMemset(x, 0, 4));
    CHECK(cudaMalloc(&out, 256));
    mixed<<<1, 64>>>(x, out);
    finish();
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
}
