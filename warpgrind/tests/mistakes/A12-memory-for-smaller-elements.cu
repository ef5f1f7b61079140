#include "mistake.h"

__global__ void fill(double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 0.5 * i; // expect: out-of-bounds // says: sizeof(double)
}

__global__ void whole_grid(long long *wide) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    wide[i] = i; // expect: out-of-bounds // says: hold 512 elements of 4 bytes
}

/* 512 doubles and 1,024 threads: that they are as many bytes as 1,024 floats is chance. */
__global__ void no_guard(double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = n; // expect: out-of-bounds // says: Guard the access with if (i <
}

__global__ void in_shared(double *x) {
    extern __shared__ double tile[];
    tile[threadIdx.x] = x[threadIdx.x]; // expect: out-of-bounds // says: hold 256 elements of 4 bytes, such as float, but those of tile have 8
    __syncthreads();
    x[threadIdx.x] = tile[255 - threadIdx.x]; // also: out-of-bounds
}

int main() {
    int n = 1000;
    double *x = nullptr, *y = nullptr, *z = nullptr;
    long long *wide = nullptr;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&wide, 512 * sizeof(int)));
    CHECK(cudaMalloc(&y, 256 * sizeof(double)));
    CHECK(cudaMalloc(&z, 512 * sizeof(double)));
    CHECK(cudaMemset(y, 0, 256 * sizeof(double)));
    fill<<<4, 256>>>(x, n);
    whole_grid<<<2, 256>>>(wide);
    no_guard<<<4, 256>>>(z, 512);
    in_shared<<<1, 256, 256 * sizeof(float)>>>(y);
    finish();
    std::vector<double> h(256);
    CHECK(cudaMemcpy(h.data(), y, 256 * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h.data(), x, 256 * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h.data(), wide, 512 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h.data(), z, 256 * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(z));
    CHECK(cudaFree(wide));
    CHECK(cudaFree(y));
    printf("%g\n", h[0]);
}
