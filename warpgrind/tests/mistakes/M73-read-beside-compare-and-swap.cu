#include "mistake.h"

__global__ void largest(float *out, const float *in) {
    __shared__ unsigned most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    unsigned mine = __float_as_uint(in[threadIdx.x]), old = most, seen;
    do {
        seen = old;
        old = atomicCAS(&most, seen, mine > seen ? mine : seen);
    } while (old != seen);
    if (threadIdx.x == 0) *out = __uint_as_float(most); // expect: shared-race
}

int main() {
    float *in = device_floats(64), *out = device_floats(1);
    largest<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
