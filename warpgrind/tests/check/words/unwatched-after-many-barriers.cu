// says: note: limit: races are not watched any more from here on: a block has synchronised more than 262,000 times
// says: unwatched-after-many-barriers.cu:9:
// says-not: shared-race
#include "../../mistakes/mistake.h"

__global__ void many_barriers(int *out, int n) {
    __shared__ int s;
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == i % 32) s = i;
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = s;
}

int main() {
    int *s;
    CHECK(cudaMalloc(&s, 4));
    many_barriers<<<1, 32>>>(s, 263000);
    finish();
    CHECK(cudaFree(s));
}
