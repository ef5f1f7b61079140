/* unoptimised: the optimiser may take any value, and leaves no read */
#include "mistake.h"

__global__ void pick(float *out, int n) {
    int choice;
    if (n > 100) choice = 1;
    if (choice > 0) out[threadIdx.x] = 1; // expect: uninitialized-read
}

int main() {
    float *out = device_floats(32);
    pick<<<1, 32>>>(out, 5);
    finish();
    CHECK(cudaFree(out));
}
