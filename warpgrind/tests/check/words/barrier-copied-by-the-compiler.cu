// says: some at line 6, others at a copy of it (the compiler unrolled a loop or inlined a call)
// says-not: others at line 6
#include "../../mistakes/mistake.h"

static __forceinline__ __device__ void meet() {
    __syncthreads();
}

__global__ void apart(int *t) {
    if (threadIdx.x < 32)
        meet();
    else
        meet();
    t[threadIdx.x] = 1;
}

int main() {
    int *t = nullptr;
    CHECK(cudaMalloc(&t, 256));
    apart<<<1, 64>>>(t);
    finish();
    CHECK(cudaFree(t));
}
