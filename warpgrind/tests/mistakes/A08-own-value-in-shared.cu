/* unoptimised: the optimiser keeps the value in a register */
#include "mistake.h"

__global__ void scale(float *out, const float *in) {
    __shared__ float v;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v = in[i]; // expect: shared-race // first // says: leave __shared__ out
    out[i] = 2 * v; // also: shared-race
}

int main(void) {
    float *d_in = device_floats(256), *d_out = device_floats(256);
    scale<<<1, 256>>>(d_out, d_in);
    finish();
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
