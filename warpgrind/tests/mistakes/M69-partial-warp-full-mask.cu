#include "mistake.h"

__global__ void sum(float *out, const float *in) {
    float value = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d); // expect: invalid-mask
    if (threadIdx.x == 0) *out = value;
}

int main() {
    float *in = device_floats(32), *out = device_floats(1);
    sum<<<1, 20>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
