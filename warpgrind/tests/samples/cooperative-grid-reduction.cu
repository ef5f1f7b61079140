/* One launch, two phases: partial sums, a barrier over the whole grid, then block 0 adds them. */
#include "sample.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

enum { BLOCK = 64 };

__global__ void sum(float *out, float *partials, const float *in, int n) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ float temp[BLOCK];
    float own = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size()) own += in[i];
    temp[block.thread_rank()] = own;
    block.sync();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if ((int)block.thread_rank() < d) temp[block.thread_rank()] += temp[block.thread_rank() + d];
        block.sync();
    }
    if (block.thread_rank() == 0) partials[blockIdx.x] = temp[0];
    grid.sync();
    if (grid.thread_rank() == 0) {
        float total = 0;
        for (unsigned i = 0; i < gridDim.x; i++) total += partials[i];
        *out = total;
    }
}

int main() {
    int n = 5003, blocks = 7;
    std::vector<float> in = sample_values(n);
    double want = 0;
    for (float value : in) want += value;
    float *d_in = to_device(in), *d_partials = nullptr, *d_out = nullptr;
    CHECK(cudaMalloc(&d_partials, blocks * sizeof(float)));
    CHECK(cudaMalloc(&d_out, sizeof(float)));
    void *arguments[] = {&d_out, &d_partials, &d_in, &n};
    CHECK(cudaLaunchCooperativeKernel((const void *)sum, dim3(blocks), dim3(BLOCK), arguments, 0, 0));
    std::vector<float> got = to_host(d_out, 1);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_partials));
    CHECK(cudaFree(d_out));
    return verdict(got, {(float)want}, 1e-2);
}
