/* Transpose through a padded tile, so that both the reads and the writes are rows. */
#include "sample.h"

enum { TILE = 32, ROWS = 8 };

__global__ void transpose(float *out, const float *in, int rows, int columns) {
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x;
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        int row = blockIdx.y * TILE + r;
        if (row < rows && column < columns) tile[r][threadIdx.x] = in[row * columns + column];
    }
    __syncthreads();
    int out_column = blockIdx.y * TILE + threadIdx.x;
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        int out_row = blockIdx.x * TILE + r;
        if (out_row < columns && out_column < rows) out[out_row * rows + out_column] = tile[threadIdx.x][r];
    }
}

int main() {
    const int rows = 77, columns = 133;
    std::vector<float> in = sample_values(rows * columns), want(rows * columns);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) want[j * rows + i] = in[i * columns + j];
    float *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(float)));
    transpose<<<dim3((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE), dim3(TILE, ROWS)>>>(d_out, d_in, rows, columns);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, want.size());
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, want);
}
