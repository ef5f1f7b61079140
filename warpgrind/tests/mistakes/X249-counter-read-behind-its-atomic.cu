/* Each thread counts itself, and takes its place from the counter instead of from the atomic. */
#include "mistake.h"

enum { N = 256 };

__global__ void by_the_counter(int *out, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(count, 1);
    out[*count - 1] = i; // expect: global-race // says: comes right after the atomic at line 8 // says: int old = atomicAdd(&count[0], value)
}

__global__ void by_the_atomic(int *out, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[atomicAdd(count, 1)] = i; // near: global-race
}

int main() {
    int *out = nullptr, *count = nullptr, host[N];
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMemset(out, 0, sizeof host));
    CHECK(cudaMemset(count, 0, sizeof(int)));
    by_the_counter<<<4, N / 4>>>(out, count);
    CHECK(cudaMemset(count, 0, sizeof(int)));
    by_the_atomic<<<4, N / 4>>>(out, count);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0]);
    CHECK(cudaFree(out));
    CHECK(cudaFree(count));
}
