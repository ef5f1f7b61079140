// options: --steps 300000
// says: threads 0-31 of block 0 run in a loop, and have come to the __syncthreads() in line 12
// says: barrier-is-no-loop.cu:10:
// says: thread 0 of block 0 loops
// says-not: barrier-is-no-loop.cu:12:
// says-not: run in a loop in line 12
#include "../../mistakes/mistake.h"
/* Whoever has passed the first barrier stands at the second one, which is in the loop, and is none. */
__global__ void k(int n) {
    for (int i = 0; i < n; i++) {
        __syncthreads();
        __syncthreads();
    }
}
int main() {
    k<<<1, 32>>>(100000000);
    return cudaDeviceSynchronize() == cudaSuccess;
}
