// expect-none: a thread waits for as many flags as it likes; each of them orders what is behind it.
#include "../../mistakes/mistake.h"

enum { FLAGS = 60 };

__global__ void many_flags(int *out, int *data, int *flags) {
    for (int i = 0; i < FLAGS; i++) {
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
    for (int i = 0; i < FLAGS && blockIdx.x; i++)
        out[i] = data[i];
}

// Each block waits for all the blocks before it; each flag tells of another block.
__global__ void all_before(int *out, int *data, int *flags) {
    data[blockIdx.x] = (int)blockIdx.x;
    __threadfence();
    atomicExch(flags + blockIdx.x, 1);
    int sum = 0;
    for (unsigned i = 0; i < blockIdx.x; i++) {
        while (*(volatile int *)(flags + i) == 0) {
        }
        __threadfence();
        sum += data[i];
    }
    out[blockIdx.x] = sum;
}

int main() {
    int *memory;
    CHECK(cudaMalloc(&memory, 3 * FLAGS * sizeof(int)));
    CHECK(cudaMemset(memory, 0, 3 * FLAGS * sizeof(int)));
    many_flags<<<2, 1>>>(memory, memory + FLAGS, memory + 2 * FLAGS);
    CHECK(cudaGetLastError());
    CHECK(cudaMemset(memory, 0, 3 * FLAGS * sizeof(int)));
    all_before<<<FLAGS, 1>>>(memory, memory + FLAGS, memory + 2 * FLAGS);
    finish();
    CHECK(cudaFree(memory));
}
