#include "mistake.h"

__global__ void fill(float *z, int columns) {
    int row = threadIdx.x / columns, column = threadIdx.x % columns;
    z[row * columns + column] = (float)(row - column); // near: out-of-bounds
}

int main() {
    float *z = device_floats(256);
    fill<<<1, 256>>>(z, 16);
    finish();
    CHECK(cudaFree(z));
}
