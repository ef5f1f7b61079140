#include "mistake.h"

__global__ void fill(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 1;
}

int main() {
    float *z = device_floats(16384);
    fill<<<1, 10>>>(z, 10);         // near: low-occupancy; there is no more to do
    fill<<<16384 / 64, 64>>>(z, 16384); // near: low-occupancy
    fill<<<512, 32>>>(z, 16384);    // near: low-occupancy; a whole warp
    finish();
    CHECK(cudaFree(z));
}
