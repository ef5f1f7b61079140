#include "mistake.h"

__global__ void sum(float *out, const float *in) {
    float value = in[threadIdx.x];
    if (threadIdx.x < 16) {
        value += __shfl_down_sync(0x0000ffff, value, 16); // expect: invalid-mask
        out[threadIdx.x] = value;
    }
}

int main() {
    float *in = device_floats(32), *out = device_floats(32);
    sum<<<1, 32>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
