#include "mistake.h"

__global__ void clear(float *z) {
    z[threadIdx.x] = 0;
}

int main() {
    float *h = (float *)malloc(64 * sizeof(float));
    clear<<<1, 64>>>(h); // expect: host-device-pointer
    finish();
    free(h);
}
