/* 1-D convolution: weights in constant memory, a tile with halo in shared memory. */
#include "sample.h"

enum { RADIUS = 4, BLOCK = 128 };
__constant__ float weights[2 * RADIUS + 1];

__global__ void convolve(float *out, const float *in, int n) {
    __shared__ float tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x + RADIUS] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < RADIUS) {
        int left = i - RADIUS, right = i + BLOCK;
        tile[threadIdx.x] = left >= 0 ? in[left] : 0.0f;
        tile[threadIdx.x + BLOCK + RADIUS] = right < n ? in[right] : 0.0f;
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++) sum += weights[k + RADIUS] * tile[threadIdx.x + RADIUS + k];
    out[i] = sum;
}

int main() {
    const int n = 1000;
    std::vector<float> in = sample_values(n), want(n), w(2 * RADIUS + 1);
    for (int k = 0; k <= 2 * RADIUS; k++) w[k] = 1.0f / (float)(1 + std::abs(k - RADIUS));
    for (int i = 0; i < n; i++)
        for (int k = -RADIUS; k <= RADIUS; k++)
            if (i + k >= 0 && i + k < n) want[i] += w[k + RADIUS] * in[i + k];
    CHECK(cudaMemcpyToSymbol(weights, w.data(), sizeof(weights)));
    float *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, n * sizeof(float)));
    convolve<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_out, d_in, n);
    CHECK(cudaGetLastError());
    std::vector<float> got = to_host(d_out, n);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 1e-5);
}
