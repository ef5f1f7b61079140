#include "mistake.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sum(int *out, const int *in, int n) {
    __shared__ int parts[8];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int mine = 0;
    for (int i = block.thread_rank(); i < n; i += block.size()) mine += in[i];
    for (int d = warp.size() / 2; d > 0; d /= 2) mine += warp.shfl_down(mine, d); // near: invalid-mask
    if (warp.thread_rank() == 0) parts[warp.meta_group_rank()] = mine;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        int part = warp.thread_rank() < 8 ? parts[warp.thread_rank()] : 0; // near: shared-race uninitialized-read
        part = cg::reduce(warp, part, cg::plus<int>());
        if (warp.thread_rank() == 0) *out = part;
    }
}

int main() {
    std::vector<int> h(1000, 3);
    int *in = nullptr, *out = nullptr, total = 0;
    CHECK(cudaMalloc(&in, h.size() * sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice));
    sum<<<1, 256>>>(out, in, (int)h.size());
    finish();
    CHECK(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return total == 3000 ? 0 : 1;
}
