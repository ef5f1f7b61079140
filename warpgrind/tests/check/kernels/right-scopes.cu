// Orders that reach just as far as they must: near misses of wrong-scopes.cu.
// expect-none: global-race
#include "../../mistakes/mistake.h"

__device__ unsigned count;

__global__ void counts_of_each_block(int *sums) {
    atomicAdd_block(sums + blockIdx.x, 1);
}

__global__ void fence_of_block(int *out, int *values, int *flags) {
    if (threadIdx.x == 32) {
        values[blockIdx.x] = 7;
        __threadfence_block();
        atomicExch_block(flags + blockIdx.x, 1);
    }
    if (threadIdx.x == 0) {
        while (atomicAdd_block(flags + blockIdx.x, 0) == 0) {
        }
        __threadfence_block();
        out[blockIdx.x] = values[blockIdx.x];
    }
}

__global__ void last_adds(float *out, float *parts) {
    parts[blockIdx.x] = (float)blockIdx.x;
    __threadfence();
    if (atomicInc(&count, gridDim.x - 1) != gridDim.x - 1) return;
    for (unsigned i = 0; i < gridDim.x; i++)
        *out += parts[i];
}

__global__ void source_after_the_wait(float *out, float *in) {
    __shared__ float temp[64];
    unsigned long long to;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(to) : "l"(&temp[threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)to), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    in[63 - threadIdx.x] = 100;
    out[threadIdx.x] = temp[threadIdx.x];
}

int main() {
    float *in = device_floats(64), *out = device_floats(64);
    int *sums;
    CHECK(cudaMalloc(&sums, 64));
    CHECK(cudaMemset(sums, 0, 64));
    counts_of_each_block<<<4, 64>>>(sums);
    fence_of_block<<<4, 64>>>(sums + 4, sums + 8, sums + 12);
    last_adds<<<4, 1>>>(out, in);
    source_after_the_wait<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sums));
}
