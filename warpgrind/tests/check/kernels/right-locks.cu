// expect-none: locks, flags and counters with the fences they need.
#include "../../mistakes/mistake.h"

__device__ int lock_word;
__device__ float shared_total;
__device__ unsigned arrived;

// One thread of each block at a time.
__global__ void locked(const float *in) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock_word, 0, 1) != 0) {
    }
    __threadfence();
    shared_total += in[blockIdx.x];
    __threadfence();
    atomicExch(&lock_word, 0);
}

// Every thread of a warp takes the lock in turn.
__global__ void locked_by_lanes(const float *in) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            __threadfence();
            shared_total += in[threadIdx.x];
            __threadfence();
            atomicExch(&lock_word, 0);
            done = true;
        }
    }
}

__global__ void last_block(float *out, float *partials, const float *in) {
    __shared__ bool last;
    partials[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    float sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        sum += partials[b * blockDim.x + threadIdx.x];
    out[threadIdx.x] = sum;
}

int main() {
    float *in = device_floats(256), *out = device_floats(32), *partials = device_floats(256);
    locked<<<8, 32>>>(in);
    locked_by_lanes<<<1, 32>>>(in);
    for (int round = 0; round < 2; round++)
        last_block<<<8, 32>>>(out, partials, in);
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(partials));
}
