#include "mistake.h"

__device__ unsigned finished = 0;

__global__ void sum(float *out, float *partials) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = 1.0f; // expect: global-race
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned b = 0; b < gridDim.x; b++) total += partials[b];
        *out = total;
    }
}

int main() {
    float *partials = device_floats(8), *out = device_floats(1);
    sum<<<8, 32>>>(out, partials);
    finish();
    CHECK(cudaFree(partials));
    CHECK(cudaFree(out));
}
