#include "mistake.h"

__global__ void reverse(int *out, int n) {
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[n - 1 - i] = i; // expect: out-of-bounds
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

int main() {
    int *out = nullptr;
    CHECK(cudaMalloc(&out, 32 * sizeof(int)));
    reverse<<<1, 32, 1024 * sizeof(int)>>>(out, 1024);
    CHECK(cudaGetLastError());
    reverse<<<1, 32, 32 * sizeof(int)>>>(out, 1024); // no longer 1024 of them
    CHECK(cudaGetLastError());
    finish();
    CHECK(cudaFree(out));
}
