// expect-none: bit-fields that are written one after the other, beside others that never are.
#include "../../mistakes/mistake.h"

struct Flags {
    unsigned char low : 3;
    bool done : 1;
    bool odd : 1;
};

struct Wide {
    unsigned index : 20;
    unsigned kind : 5;
    unsigned rest : 7;
};

__global__ void flags(int *out) {
    Flags flags;
    flags.done = threadIdx.x > 3;
    flags.odd = threadIdx.x & 1;
    if (flags.done) out[threadIdx.x] = 1;
    if (flags.odd) out[threadIdx.x] += 2;
    flags.low = threadIdx.x & 7;
    if (flags.low == 5) out[threadIdx.x] += 4;
}

__global__ void wide(int *out) {
    Wide wide;
    wide.kind = threadIdx.x & 31;
    wide.index = threadIdx.x * 1000;
    if (wide.kind == 3) out[threadIdx.x] += (int)wide.index;
}

int main() {
    int *out;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    CHECK(cudaMemset(out, 0, 32 * sizeof(int)));
    flags<<<1, 32>>>(out);
    wide<<<1, 32>>>(out);
    finish();
    CHECK(cudaFree(out));
}
