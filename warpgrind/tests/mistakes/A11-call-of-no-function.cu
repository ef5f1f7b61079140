#include "mistake.h"

typedef float (*Operation)(float);
__device__ Operation table[2];

__global__ void apply(float *out) {
    int t = threadIdx.x;
    out[t] =
        table[1](out[t]); // expect: crash // first // says: points to no __device__ function
}

int main(void) {
    float *d_out = device_floats(256);
    apply<<<1, 256>>>(d_out);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
