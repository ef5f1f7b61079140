/* A sparse matrix times a vector: rows of different lengths, a thread a row and a warp a row. */
#include "sample.h"

struct Csr {
    const int *start, *column;
    const float *value;
    int rows;
};

__global__ void by_threads(float *y, Csr a, const float *x) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= a.rows) return;
    float sum = 0;
    for (int k = a.start[row]; k < a.start[row + 1]; k++) sum += a.value[k] * x[a.column[k]];
    y[row] = sum;
}

__global__ void by_warps(float *y, Csr a, const float *x) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= a.rows) return;
    float sum = 0;
    for (int k = a.start[row] + lane; k < a.start[row + 1]; k += 32) sum += a.value[k] * x[a.column[k]];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}

int main() {
    const int rows = 150;
    std::vector<int> start = {0}, column;
    std::vector<float> value, x = sample_values(rows), want(2 * rows);
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int k = 0; k < (r * 13) % 71; k++) {
            column.push_back((r + 7 * k) % rows);
            value.push_back(sample_value(value.size()));
            sum += (double)value.back() * x[column.back()];
        }
        start.push_back((int)column.size());
        want[r] = want[rows + r] = (float)sum;
    }
    int *d_start = to_device(start), *d_column = to_device(column);
    float *d_value = to_device(value), *d_x = to_device(x), *d_y = nullptr;
    CHECK(cudaMalloc(&d_y, 2 * rows * sizeof(float)));
    Csr a = {d_start, d_column, d_value, rows};
    by_threads<<<(rows + 63) / 64, 64>>>(d_y, a, d_x);
    by_warps<<<(rows + 3) / 4, 128>>>(d_y + rows, a, d_x);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_y, 2 * rows);
    CHECK(cudaFree(d_start));
    CHECK(cudaFree(d_column));
    CHECK(cudaFree(d_value));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    return verdict(got, want, 1e-4);
}
