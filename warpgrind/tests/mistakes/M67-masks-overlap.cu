#include "mistake.h"

__global__ void sums(float *out) {
    unsigned mask = threadIdx.x < 16 ? 0x0001ffff : 0xffff0000;
    float own = 1;
    own += __shfl_xor_sync(mask, own, 1); // expect: invalid-mask
    out[threadIdx.x] = own;
}

int main() {
    float *out = device_floats(32);
    sums<<<1, 32>>>(out);
    finish();
    CHECK(cudaFree(out));
}
