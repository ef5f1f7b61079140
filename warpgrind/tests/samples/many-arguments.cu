/* A device function with more arguments than most have. */
#include "sample.h"

__device__ __noinline__ int sum(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k,
                                int l, int m, int n, int o, int p, int q, int r, int s, int *t) {
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + *t;
}

__global__ void add_up(int *out, int x) {
    int last = 20 * x;
    out[threadIdx.x] = sum(x, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, &last);
}

int main() {
    std::vector<int> got(32), want(32, 210);
    int *d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
    add_up<<<1, 32>>>(d_out, 1);
    CHECK(cudaMemcpy(got.data(), d_out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_out));
    return verdict(got, want);
}
