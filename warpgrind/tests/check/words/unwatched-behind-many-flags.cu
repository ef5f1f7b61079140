// says: note: limit: races are not watched everywhere from here on: there is no room for more of what flags and locks order
// says-not: global-race
#include "../../mistakes/mistake.h"

enum { BLOCKS = 1100, THREADS = 256 };

// More words are published than are kept; what lies behind those is not watched.
__global__ void publish(int *out, int *data, int *flags) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i == 0) *data = 1;
    __threadfence();
    atomicExch(flags + i, 1);
    if (i == BLOCKS * THREADS - 1) *out = *data;
}

int main() {
    int *memory;
    const size_t bytes = (BLOCKS * THREADS + 2) * sizeof(int);
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemset(memory, 0, bytes));
    publish<<<BLOCKS, THREADS>>>(memory, memory + 1, memory + 2);
    finish();
    CHECK(cudaFree(memory));
}
