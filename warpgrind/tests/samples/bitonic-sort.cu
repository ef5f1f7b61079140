/* Bitonic sort: one launch per step over the whole array, and the small steps inside one block's shared memory. */
#include "sample.h"

#include <algorithm>

enum { BLOCK = 256 };

__device__ void order(float &a, float &b, bool ascending) {
    if ((a > b) == ascending) {
        float swapped = a;
        a = b;
        b = swapped;
    }
}

__global__ void step_global(float *values, unsigned distance, unsigned size) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ distance;
    if (partner > i) order(values[i], values[partner], (i & size) == 0);
}

__global__ void steps_shared(float *values, unsigned distance, unsigned size) {
    extern __shared__ float temp[];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, tid = threadIdx.x;
    temp[tid] = values[i];
    for (; distance > 0; distance /= 2) {
        __syncthreads();
        unsigned partner = tid ^ distance;
        if (partner > tid) order(temp[tid], temp[partner], (i & size) == 0);
    }
    __syncthreads();
    values[i] = temp[tid];
}

int main() {
    const unsigned n = 2048;
    std::vector<float> values = sample_values(n), want = values;
    std::sort(want.begin(), want.end());
    float *d_values = to_device(values);
    for (unsigned size = 2; size <= n; size *= 2) {
        unsigned distance = size / 2;
        for (; distance >= BLOCK; distance /= 2) step_global<<<n / BLOCK, BLOCK>>>(d_values, distance, size);
        CHECK(cudaGetLastError());
        steps_shared<<<n / BLOCK, BLOCK, BLOCK * sizeof(float)>>>(d_values, distance, size);
        CHECK(cudaGetLastError());
    }
    std::vector<float> got = to_host(d_values, n);
    CHECK(cudaFree(d_values));
    return verdict(got, want);
}
