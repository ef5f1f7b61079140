/* repeats.cu - one product of matrices by tiles, launched so often as the first argument says: what launches
 * cost that do again what the first one did. */
#include <cstdlib>

#include <cuda_runtime.h>

enum { SIDE = 64, TILE = 16, BYTES = SIDE * SIDE * sizeof(float) };

__global__ void multiply(float *c, const float *a, const float *b) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < SIDE; first += TILE) {
        left[threadIdx.y][threadIdx.x] = a[row * SIDE + first + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * SIDE + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    c[row * SIDE + column] = sum;
}

int main(int argc, char **argv) {
    float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
    static float c[SIDE * SIDE];
    cudaMalloc(&d_a, BYTES);
    cudaMalloc(&d_b, BYTES);
    cudaMalloc(&d_c, BYTES);
    cudaMemset(d_a, 0, BYTES);
    cudaMemset(d_b, 0, BYTES);
    for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--)
        multiply<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(d_c, d_a, d_b);
    cudaMemcpy(c, d_c, BYTES, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return c[0] > 0;
}
