// says: what to do: Several threads write to out[0], and the last one wins. If one of them has the result, let only that one write it.
#include "../../mistakes/mistake.h"

__global__ void last_of_each(int *out) {
    if (threadIdx.x % 32 == 31) out[0] = threadIdx.x;
}

int main() {
    int *out = nullptr;
    CHECK(cudaMalloc(&out, sizeof(int)));
    last_of_each<<<1, 64>>>(out);
    finish();
    CHECK(cudaFree(out));
}
