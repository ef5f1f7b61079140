// says: update sum[0] with atomics that hold within one block only
// says: Use the plain one (atomicAdd), or cuda::thread_scope_device, for sum
// says: __threadfence_block() orders what a thread wrote for the threads of its own block only
// says: __threadfence() is missing between the write at line 35 and an atomic that tells other blocks of it
// says: while the asynchronous copy of block 0, thread
// Orders that do not reach far enough: atomics and fences of one block, a missing fence, copies that are not done.
#include "../../mistakes/mistake.h"

__device__ unsigned count;

__global__ void counts_in_block(int *sum) {
    atomicAdd_block(sum, 1); // expect: global-race
}

__global__ void counts_both_ways(int *sum) {
    if (blockIdx.x == 0)
        atomicAdd(sum + 1, 1);
    else
        atomicAdd_block(sum + 1, 1); // expect: global-race
}

__device__ void last_adds(float *out, const float *parts, bool last) {
    if (last)
        for (unsigned i = 0; i < gridDim.x; i++)
            *out += parts[i];
}

__global__ void fence_of_block(float *out, float *parts) {
    parts[blockIdx.x] = (float)blockIdx.x; // expect: global-race
    __threadfence_block();
    last_adds(out, parts, atomicInc(&count, gridDim.x - 1) == gridDim.x - 1);
}

__global__ void no_fence(float *out, float *parts) {
    parts[blockIdx.x] = (float)blockIdx.x; // expect: global-race
    last_adds(out, parts, atomicInc(&count, gridDim.x - 1) == gridDim.x - 1);
}

__device__ void fetch(float *shared, const float *global) {
    unsigned long long to;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(to) : "l"(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)to), "l"(global) : "memory");
}

__device__ void fetched() {
    asm volatile("cp.async.wait_all;" ::: "memory");
}

__global__ void source_of_own(float *out, float *in) {
    __shared__ float temp[64];
    fetch(&temp[threadIdx.x], in + threadIdx.x);
    in[threadIdx.x] = 100; // expect: global-race
    fetched();
    out[threadIdx.x] = temp[threadIdx.x];
}

__global__ void source_of_others(float *out, float *in) {
    __shared__ float temp[64];
    fetch(&temp[threadIdx.x], in + threadIdx.x);
    __syncthreads();
    in[63 - threadIdx.x] = 200; // expect: global-race
    fetched();
    out[threadIdx.x] = temp[threadIdx.x];
}

int main() {
    float *in = device_floats(64), *out = device_floats(64);
    int *sum;
    CHECK(cudaMalloc(&sum, 8));
    CHECK(cudaMemset(sum, 0, 8));
    counts_in_block<<<4, 64>>>(sum);
    counts_both_ways<<<2, 64>>>(sum);
    fence_of_block<<<4, 1>>>(out, in);
    no_fence<<<4, 1>>>(out, in);
    source_of_own<<<1, 64>>>(out, in);
    source_of_others<<<1, 64>>>(out, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sum));
}
