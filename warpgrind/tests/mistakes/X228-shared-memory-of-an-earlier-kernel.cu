/* The address of a shared array is kept in global memory for the next kernel, when the array is gone. */
#include "mistake.h"

__device__ int *kept;

__global__ void fills(int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) kept = s;
    __syncthreads();
    out[threadIdx.x] = kept[31 - threadIdx.x]; // near: out-of-bounds
}

__global__ void reads(int *out) {
    out[threadIdx.x] = kept[threadIdx.x]; // expect: out-of-bounds // says: reads shared memory, of which this kernel has none // says: as long as that block runs
}

int main() {
    int *out = nullptr, host[32];
    CHECK(cudaMalloc(&out, sizeof host));
    fills<<<1, 32>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    reads<<<1, 32>>>(out);
    if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess) printf("%d\n", host[3]);
    cudaFree(out);
}
