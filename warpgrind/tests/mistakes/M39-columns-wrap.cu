#include "mistake.h"

__global__ void fill(float *z, int rows, int columns) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    int i = row * columns + column;
    if (i < rows * columns) z[i] = (float)column; // expect: global-race
}

int main() {
    float *z = device_floats(20 * 33);
    fill<<<dim3(2, 3), dim3(32, 8)>>>(z, 20, 33);
    finish();
    CHECK(cudaFree(z));
}
