/* C = A B with square tiles in shared memory; sizes that are no multiple of the tile. */
#include "sample.h"

enum { TILE = 16 };

__global__ void multiply(float *c, const float *a, const float *b, int rows, int inner, int columns) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < inner; first += TILE) {
        int k_a = first + threadIdx.x, k_b = first + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] = row < rows && k_a < inner ? a[row * inner + k_a] : 0.0f;
        b_tile[threadIdx.y][threadIdx.x] = k_b < inner && column < columns ? b[k_b * columns + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}

int main() {
    const int rows = 45, inner = 37, columns = 61;
    std::vector<float> a = sample_values(rows * inner), b = sample_values(inner * columns), want(rows * columns);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < inner; k++) want[i * columns + j] += a[i * inner + k] * b[k * columns + j];
    float *d_a = to_device(a), *d_b = to_device(b), *d_c = nullptr;
    CHECK(cudaMalloc(&d_c, want.size() * sizeof(float)));
    dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    multiply<<<grid, block>>>(d_c, d_a, d_b, rows, inner, columns);
    CHECK(cudaGetLastError());
    std::vector<float> c = to_host(d_c, want.size());
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    return verdict(c, want, 1e-4);
}
