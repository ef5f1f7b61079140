#include "mistake.h"

#include <cassert>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void trap_beside(float *out, const float *in, int n) {
    __shared__ float tile[64];
    int lane = threadIdx.x;
    tile[lane] = in[lane];
    if (lane < 40) {
        __syncthreads(); // expect: barrier-divergence
        out[lane] = tile[39 - lane];
    } else {
        if (n < 0) __trap();
        out[lane] = 1;
    }
    out[lane] *= 2;
}

__global__ void assert_beside(float *out, const float *in, int n) {
    __shared__ float tile[64];
    int lane = threadIdx.x;
    tile[lane] = in[lane];
    if (lane % 2) {
        assert(n > 0);
        out[lane] = in[lane];
    } else {
        __syncthreads(); // expect: barrier-divergence
        out[lane] = tile[lane];
    }
    out[lane] *= 2;
}

__global__ void half_of_the_grid(float *out, const float *in) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    if (threadIdx.x < 32) {
        grid.sync(); // expect: barrier-divergence
        out[i] += 1;
    }
    out[i] *= 2;
}

int main() {
    float *in = device_floats(256), *out = nullptr;
    CHECK(cudaMalloc(&out, 256 * sizeof(float)));
    trap_beside<<<1, 64>>>(out, in, 64);
    assert_beside<<<1, 64>>>(out, in, 64);
    finish();
    void *arguments[] = {&out, &in};
    CHECK(cudaLaunchCooperativeKernel((void *)half_of_the_grid, dim3(4), dim3(64), arguments, 0, nullptr));
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
