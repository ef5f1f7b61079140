// Cooperative groups: every kind of group, what they are made of and what they compute together; asynchronous copies. groups.out is
// what nvcc's headers give.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>
#include <cstdio>

namespace cg = cooperative_groups;

struct Pair {
    double value;
    int place;
    __device__ bool operator<(const Pair &other) const { return value < other.value; }
};

template <unsigned Size> __device__ void tile_work(unsigned *out, cg::thread_block block) {
    auto tile = cg::tiled_partition<Size>(block);
    const unsigned r = threadIdx.x;
    unsigned hash = cg::reduce(tile, r * 7 % 31, cg::plus<unsigned>());
    hash = hash * 31 + cg::reduce(tile, r * 7 % 31, cg::greater<unsigned>());
    hash = hash * 31 + (unsigned)cg::reduce(tile, (int)(r * 5 % 29) - 20, cg::less<int>());
    hash = hash * 31 + cg::reduce(tile, 1u << r % 32, cg::bit_or<unsigned>()) + cg::reduce(tile, r, cg::bit_xor<unsigned>());
    hash = hash * 31 + cg::inclusive_scan(tile, r % 13) + 3 * cg::exclusive_scan(tile, r % 11);
    hash = hash * 31 + (unsigned)cg::inclusive_scan(tile, (int)(r * 37 % 101) - 50, cg::greater<int>());
    hash = hash * 31 + tile.thread_rank() + tile.meta_group_rank() * 100 + tile.meta_group_size() * 1000 + tile.num_threads() * 7;
    hash = hash * 31 + (unsigned)(cg::reduce(tile, (double)r, cg::plus<double>()));
    hash = hash * 31 + tile.shfl(r * 3, 1) + (tile.any(r == 70) != 0) * 5 + (tile.all(r < 1000) != 0) * 9;
    tile.sync();
    out[threadIdx.x] = out[threadIdx.x] * 31 + hash;
}

__global__ void tiles(unsigned *out) {
    cg::thread_block block = cg::this_thread_block();
    tile_work<2>(out, block);
    tile_work<8>(out, block);
    tile_work<32>(out, block);
    auto warp = cg::tiled_partition<32>(block);
    const Pair best = cg::reduce(warp, Pair{threadIdx.x * 37 % 101 + 0.5, (int)threadIdx.x}, cg::greater<Pair>());
    out[threadIdx.x] += (unsigned)best.value + (unsigned)best.place * 1000;
    auto same = cg::labeled_partition(warp, threadIdx.x % 3);
    out[threadIdx.x] += same.thread_rank() + same.size() * 50 + cg::reduce(same, threadIdx.x, cg::plus<unsigned>()) +
                        cg::exclusive_scan(same, 2u) + same.shfl(threadIdx.x, 4) * 3 + same.meta_group_size() * 7;
    auto half = cg::binary_partition(warp, threadIdx.x % 32 < 11);
    out[threadIdx.x] += half.thread_rank() * 3 + half.size() * 5 + half.shfl_up(threadIdx.x, 2) + half.shfl_down(threadIdx.x, 3) +
                        half.ballot(threadIdx.x % 2) + half.match_any(threadIdx.x / 4);
    if (threadIdx.x % 5 < 3) {
        auto active = cg::coalesced_threads();
        auto quad = cg::tiled_partition(active, 4);
        out[threadIdx.x] += active.size() + quad.size() * 3 + quad.meta_group_rank() * 11 + quad.thread_rank() * 17 +
                            quad.shfl(threadIdx.x, 0) + active.any(threadIdx.x == 2) * 13;
    }
    int predicate;
    auto tile = cg::tiled_partition<16>(warp);
    out[threadIdx.x] += tile.match_any(threadIdx.x / 5) + tile.match_all(7, predicate) + predicate + tile.ballot(threadIdx.x % 3 == 0) +
                        tile.shfl_up(threadIdx.x, 3) + tile.shfl_xor(threadIdx.x, 5) + tile.meta_group_rank();
    cg::thread_group any = cg::tiled_partition(block, 8);
    out[threadIdx.x] += (unsigned)(any.thread_rank() + any.size() * 3);
    any.sync();
    cg::sync(block);
    cg::invoke_one(warp, [=] { out[threadIdx.x] += 1; });
    out[threadIdx.x] += cg::invoke_one_broadcast(warp, [] { return threadIdx.x * 2 + 1; });
}

__global__ void wide(unsigned *out) {
    __shared__ cg::block_tile_memory<1024> memory;
    cg::thread_block block = cg::this_thread_block(memory);
    tile_work<64>(out, block);
    tile_work<128>(out, block);
    tile_work<256>(out, block);
    tile_work<512>(out, block);
    auto outer = cg::tiled_partition<128>(block);
    auto inner = cg::tiled_partition<64>(outer);
    out[threadIdx.x] += inner.meta_group_rank() + 10 * inner.meta_group_size();
}

__global__ void grid(unsigned *out) {
    cg::grid_group all = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    const unsigned long long r = all.thread_rank();
    out[r] = (unsigned)(r + all.num_threads() * 3 + all.num_blocks() * 5 + all.block_rank() * 7 + block.thread_index().x +
                        block.group_index().x * 11 + block.dim_threads().x + all.block_index().x + all.dim_blocks().x + all.size());
    all.sync();
    const unsigned other = out[all.num_threads() - 1 - r];
    all.sync();
    out[r] += other;
}

__global__ void copies(unsigned *out, const unsigned *in) {
    __shared__ __align__(16) unsigned staged[2][128];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, staged[0], in, sizeof staged[0]);
    cg::memcpy_async(block, staged[1], in + 129, sizeof staged[1]);
    cg::wait_prior<1>(block);
    unsigned sum = staged[0][127 - threadIdx.x];
    cg::wait(block);
    sum += staged[1][127 - threadIdx.x] * 3;
    block.sync();
    auto warp = cg::tiled_partition<32>(block);
    cg::memcpy_async(warp, &staged[0][warp.meta_group_rank() * 32], in + 64, 31 * sizeof(unsigned));
    cg::wait(warp);
    sum += staged[0][warp.meta_group_rank() * 32 + (threadIdx.x + 1) % 31] * 5;
    block.sync();
    __pipeline_memcpy_async(&staged[0][threadIdx.x], &in[threadIdx.x + 3], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&staged[1][threadIdx.x], &in[threadIdx.x + 5], 4, threadIdx.x % 2 * 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    sum += staged[0][threadIdx.x] * 7;
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum + staged[1][threadIdx.x] * 11;
}

static void show(const char *name, unsigned *d_out, int count) {
    unsigned out[1024], hash = 0;
    cudaMemcpy(out, d_out, count * sizeof *out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++) hash = hash * 31 + out[i];
    printf("%-8s %08x %u %u %u %u %s\n", name, hash, out[0], out[1], out[37], out[count - 1], cudaGetErrorString(cudaGetLastError()));
    cudaMemset(d_out, 0, 1024 * sizeof *d_out);
}

int main() {
    unsigned *d_out, *d_in, in[512];
    for (int i = 0; i < 512; i++) in[i] = (unsigned)(i * i + 1);
    cudaMalloc(&d_out, 1024 * sizeof *d_out);
    cudaMalloc(&d_in, sizeof in);
    cudaMemset(d_out, 0, 1024 * sizeof *d_out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    tiles<<<1, 96>>>(d_out);
    show("tiles", d_out, 96);
    wide<<<1, 1024>>>(d_out);
    show("wide", d_out, 1024);
    void *arguments[] = {&d_out};
    cudaLaunchCooperativeKernel((void *)grid, dim3(4), dim3(64), arguments, 0, 0);
    show("grid", d_out, 256);
    copies<<<1, 128>>>(d_out, d_in);
    show("copies", d_out, 128);
    cudaFree(d_out);
    cudaFree(d_in);
}
