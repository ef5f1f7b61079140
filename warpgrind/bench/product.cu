/* product.cu - what every CUDA course multiplies matrices with: tiles of 16 x 16 in shared memory. */
#include <cuda_runtime.h>

enum { TILE = 16 };

extern "C" __global__ void product(float *c, const float *a, const float *b, int side) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int first = 0; first < side; first += TILE) {
        as[y][x] = a[row * side + first + x];
        bs[y][x] = b[(first + y) * side + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * side + column] = sum;
}
