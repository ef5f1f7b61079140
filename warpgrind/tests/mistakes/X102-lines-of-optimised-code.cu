#include "mistake.h"

// Clang's optimiser would read the tile where the result is used: in the line of the last `if`.
__global__ void smooth(float *out, const float *in, const float *__restrict__ weights, int layers, int n) {
    __shared__ float tile[12][12];
    for (int k = 0; k < layers; k++) {
        int x = threadIdx.x, y = threadIdx.y;
        tile[y + 2][x + 2] = in[(y * n + x) * layers + k];
        __syncthreads();
        float sum = 0;
        for (int r = 0; r < 5; r++)
            for (int c = 0; c < 5; c++)
                sum += tile[y + r][x + c] * weights[r * 5 + c]; // expect: uninitialized-read
        if (y < n && x < n) out[(y * n + x) * layers + k] = min(max(sum, 0.0), 1.0);
        __syncthreads();
    }
}

int main() {
    float h[128], *in = device_floats(128), *weights = device_floats(25), *out = nullptr;
    CHECK(cudaMalloc(&out, sizeof h));
    smooth<<<1, dim3(8, 8)>>>(out, in, weights, 2, 8);
    finish();
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(weights));
    CHECK(cudaFree(out));
}
