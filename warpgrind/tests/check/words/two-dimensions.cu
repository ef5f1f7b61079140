// says: thread (3,1) of block 1 writes
// says: block 1, thread (3,1) writes
#include "../../mistakes/mistake.h"

__global__ void fill(float *out, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    out[row * columns + column] = 1.0f;
}

int main() {
    float *out = nullptr;
    CHECK(cudaMalloc(&out, 15 * sizeof(float)));
    fill<<<dim3(2, 1), dim3(4, 2)>>>(out, 8);
    finish();
    CHECK(cudaFree(out));
}
