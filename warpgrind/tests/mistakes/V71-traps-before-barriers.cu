#include "mistake.h"

#include <cassert>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void checked(float *out, const float *in, int n) {
    __shared__ float tile[64];
    int lane = threadIdx.x;
    if (lane >= n) __trap();
    tile[lane] = in[lane];
    assert(lane < n);
    __syncthreads(); // near: barrier-divergence
    for (int d = 32; d > 0; d /= 2) {
        if (lane < d) {
            assert(tile[lane] == tile[lane]);
            tile[lane] += tile[lane + d];
        }
        __syncthreads(); // near: barrier-divergence
    }
    if (n > 32) {
        __syncthreads(); // near: barrier-divergence
    } else {
        __trap();
    }
    out[lane] = tile[0];
}

__global__ void whole_grid(float *out, const float *in) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    if (gridDim.x > 1) grid.sync(); // near: barrier-divergence
    if (threadIdx.x < 32) out[i] += 1;
}

int main() {
    float *in = device_floats(256), *out = nullptr;
    CHECK(cudaMalloc(&out, 256 * sizeof(float)));
    checked<<<1, 64>>>(out, in, 64);
    finish();
    void *arguments[] = {&out, &in};
    CHECK(cudaLaunchCooperativeKernel((void *)whole_grid, dim3(4), dim3(64), arguments, 0, nullptr));
    finish();
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
