#include "mistake.h"

__global__ void sum(float *out, const float *in, int n) {
    int i = threadIdx.x;
    if (i < n) {
        unsigned here = __activemask();
        float value = in[i];
        for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(here, value, d); // expect: invalid-mask
        if (i == 0) *out = value;
    }
}

int main() {
    float *in = device_floats(20), *out = device_floats(1);
    sum<<<1, 32>>>(out, in, 20);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
