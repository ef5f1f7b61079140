// says: some at line 7, others at another one on this line
// says-not: copy of it
#include "../../mistakes/mistake.h"

__global__ void apart(int *t) {
    // clang-format off
    if (threadIdx.x < 32) __syncthreads(); else __syncthreads();
    // clang-format on
    t[threadIdx.x] = 1;
}

int main() {
    int *t = nullptr;
    CHECK(cudaMalloc(&t, 256));
    apart<<<1, 64>>>(t);
    finish();
    CHECK(cudaFree(t));
}
