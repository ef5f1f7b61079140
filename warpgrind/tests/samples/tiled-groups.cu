/* Cooperative groups: tiles of 8 threads reduce with shuffles, coalesced threads share one atomic. */
#include "sample.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void tile_sums(int *sums, int *positives, const int *in, int n) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? in[i] : 0, sum = own;
    for (int d = tile.size() / 2; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
    if (tile.thread_rank() == 0 && i < n) sums[i / 8] = sum;
    if (own > 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0) atomicAdd(positives, (int)active.size());
    }
}

int main() {
    const int n = 512;
    std::vector<int> in(n), want(n / 8 + 1);
    for (int i = 0; i < n; i++) {
        in[i] = (i * 37) % 101 - 50;
        want[i / 8] += in[i];
        want[n / 8] += in[i] > 0;
    }
    int *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, (n / 8 + 1) * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, (n / 8 + 1) * sizeof(int)));
    tile_sums<<<4, 128>>>(d_out, d_out + n / 8, d_in, n);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_out, n / 8 + 1);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, want);
}
