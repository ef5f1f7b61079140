#include "mistake.h"

__global__ void sweep(float *out, int n) {
    for (int i = threadIdx.x; i < n; i += 64) {
        out[i] = 1.0f;
        __syncthreads(); // expect: barrier-divergence
    }
    __syncthreads();
    if (threadIdx.x == 0) out[0] = out[n - 1];
}

int main() {
    float *out = device_floats(112);
    sweep<<<1, 64>>>(out, 112);
    finish();
    CHECK(cudaFree(out));
}
