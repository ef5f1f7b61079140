/* y = A x, one warp a row, four numbers a load. */
#include "sample.h"

__global__ void multiply(float *y, const float4 *a, const float4 *x, int rows, int quads) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int q = lane; q < quads; q += 32) {
        float4 left = a[row * quads + q], right = x[q];
        sum += left.x * right.x + left.y * right.y + left.z * right.z + left.w * right.w;
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}

int main() {
    const int rows = 45, columns = 212;
    std::vector<float> a = sample_values(rows * columns), x = sample_values(columns), want(rows);
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int c = 0; c < columns; c++) sum += (double)a[r * columns + c] * x[c];
        want[r] = (float)sum;
    }
    float *d_a = to_device(a), *d_x = to_device(x), *d_y = nullptr;
    CHECK(cudaMalloc(&d_y, rows * sizeof(float)));
    multiply<<<(rows + 3) / 4, 128>>>(d_y, (const float4 *)d_a, (const float4 *)d_x, rows, columns / 4);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_y, rows);
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    return verdict(got, want, 1e-4);
}
