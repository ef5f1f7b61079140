#include "mistake.h"

__global__ void twice(float *z, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && column < n) z[row * n + column] *= 2; // expect-note: uncoalesced
}

int main() {
    float *z = device_floats(128 * 128);
    twice<<<dim3(4, 4), dim3(32, 32)>>>(z, 128);
    finish();
    CHECK(cudaFree(z));
}
