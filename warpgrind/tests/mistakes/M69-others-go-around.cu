#include "mistake.h"

__global__ void halves(float *out, const float *in) {
    float value = in[threadIdx.x];
    if (threadIdx.x < 16) {
        value += __shfl_down_sync(0xffffffffu, value, 8); // expect: invalid-mask // says: the others have gone around it or ended
    }
    out[threadIdx.x] = value;
}

int main() {
    float *in = device_floats(32), *out = device_floats(32);
    halves<<<1, 32>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
