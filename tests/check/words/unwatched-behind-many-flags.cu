// says: note: limit: races are not watched everywhere from here on: too many flags and locks order the threads
// says-not: global-race
#include "../../mistakes/mistake.h"

__global__ void sixteen_flags(int *out, int *data, int *flags) {
    for (int i = 0; i < 16; i++) {
        if (blockIdx.x == 0) {
            data[i] = i;
            __threadfence();
            atomicExch(flags + i, 1);
        } else {
            while (atomicAdd(flags + i, 0) == 0) {
            }
            __threadfence();
        }
    }
    for (int i = 0; i < 16 && blockIdx.x; i++)
        out[i] = data[i];
}

int main() {
    int *memory;
    CHECK(cudaMalloc(&memory, 192));
    CHECK(cudaMemset(memory, 0, 192));
    sixteen_flags<<<2, 1>>>(memory, memory + 16, memory + 32);
    finish();
    CHECK(cudaFree(memory));
}
