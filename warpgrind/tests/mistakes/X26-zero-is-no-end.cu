/* unoptimised: a loop without end may be taken for one that is never reached */
#include "mistake.h"

__global__ void halve(float *z) {
    for (int d = 16; d >= 0; d /= 2) z[threadIdx.x] += 1; // expect: hang
}

int main() {
    float *z = device_floats(32);
    halve<<<1, 1>>>(z);
    if (cudaDeviceSynchronize() == cudaSuccess) return 1;
}
