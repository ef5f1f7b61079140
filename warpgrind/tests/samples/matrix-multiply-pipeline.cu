/* Matrix product with tiles that are copied asynchronously, the next pair while this one is used: two stages of a pipeline. */
#include "sample.h"

#include <cuda_pipeline.h>

enum { TILE = 16 };

__global__ void multiply(float *c, const float *a, const float *b, int n) {
    __shared__ float as[2][TILE][TILE], bs[2][TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    auto fetch = [&](int tile) {
        __pipeline_memcpy_async(&as[tile % 2][y][x], &a[row * n + tile * TILE + x], sizeof(float));
        __pipeline_memcpy_async(&bs[tile % 2][y][x], &b[(tile * TILE + y) * n + column], sizeof(float));
        __pipeline_commit();
    };
    fetch(0);
    for (int tile = 0; tile < n / TILE; tile++) {
        if (tile + 1 < n / TILE) {
            fetch(tile + 1);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += as[tile % 2][y][k] * bs[tile % 2][k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main() {
    const int n = 64;
    std::vector<float> a = sample_values(n * n), b(n * n), want(n * n);
    for (int i = 0; i < n * n; i++) b[i] = sample_value(i + 12345);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) want[i * n + j] += a[i * n + k] * b[k * n + j];
    float *d_a = to_device(a), *d_b = to_device(b), *d_c = nullptr;
    CHECK(cudaMalloc(&d_c, n * n * sizeof(float)));
    multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(d_c, d_a, d_b, n);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_c, n * n);
    for (float *p : {d_a, d_b, d_c}) CHECK(cudaFree(p));
    return verdict(got, want, 1e-4);
}
