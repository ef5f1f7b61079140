// Warps and blocks: shuffles of all types, votes, matches, reductions, fences, atomics of all types, block barriers that
// return a value, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void warps(unsigned int *out, double *real) {
    int lane = threadIdx.x;
    out[0 + lane] = __shfl_down_sync(0xffffffff, lane, 1);
    out[32 + lane] = __shfl_xor_sync(0xffffffffu, (unsigned int)lane, 16);
    out[64 + lane] = __shfl_sync(0xffffffff, lane, 3, 8);
    out[96 + lane] = __shfl_up_sync(0xffffffff, lane, 2);
    real[lane] = __shfl_sync(0xffffffff, lane + 0.5, 31 - lane) + __shfl_xor_sync(0xffffffff, 1.0f * lane, 1) +
                 (double)__shfl_sync(0xffffffff, (long long)lane << 40, lane);
    out[128 + lane] = __ballot_sync(0xffffffff, lane & 1);
    out[160 + lane] = __any_sync(0xffffffff, lane == 7) + 2 * __all_sync(0xffffffff, lane < 32);
    out[192 + lane] = __match_any_sync(0xffffffff, lane / 4);
    out[224 + lane] = __reduce_add_sync(0xffffffff, (unsigned int)lane) + __reduce_max_sync(0xffffffff, lane);
    out[256 + lane] = __popc(__activemask()) + __clz(1) + __ffs(8) + __brev(1u);
    __syncwarp();
    __threadfence();
}

struct Cells {
    int i;
    unsigned int u;
    unsigned long long ull;
    long long ll;
    float f;
    double d;
};

__global__ void atomics(Cells *cells, unsigned short *s) {
    atomicAdd(&cells->i, 2);
    atomicAdd(&cells->u, 3u);
    atomicAdd(&cells->ull, 4ull);
    atomicAdd(&cells->f, 0.5f);
    atomicAdd(&cells->d, 0.25);
    atomicSub(&cells->i, 1);
    atomicMin(&cells->ll, -(long long)threadIdx.x);
    atomicMax_block(&cells[1 + blockIdx.x].ull, 1ull); // each block its own
    atomicOr(&cells->i, 1 << 20);
    atomicAnd(&cells->ull, ~0ull);
    atomicXor_system(&cells->u, 0u);
    atomicInc(&cells[1].u, 9u);
    atomicDec(&cells[2].u, 100u);
    atomicExch(&cells[1].f, 7.0f);
    atomicCAS(&cells[1].i, 0, (int)threadIdx.x + 1);
    atomicCAS(s, (unsigned short)0, (unsigned short)5);
}

__global__ void groups(int *out, const int *in) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    auto quarter = cg::tiled_partition<8>(warp); // the rank of a tile counts in what it is a tile of
    if (quarter.thread_rank() == 0 && quarter.meta_group_rank() == 3) atomicAdd(&out[39], (int)quarter.meta_group_size());
    int value = in[block.thread_rank()];
    int total = cg::reduce(warp, value, cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(&out[0], total);
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
    if (tile.thread_rank() == 0) out[1 + tile.meta_group_rank()] = value;
    if (block.thread_rank() % 3 == 0) {
        cg::coalesced_group together = cg::coalesced_threads();
        if (together.thread_rank() == 0) atomicAdd(&out[40], (int)together.size());
    }
    block.sync();
    int count = __syncthreads_count(threadIdx.x < 5), all = __syncthreads_and(1), any = __syncthreads_or(threadIdx.x == 99);
    if (block.thread_rank() == 0) out[41] = count * 100 + all * 10 + (any != 0);
}

int main() {
    unsigned int *d_out, out[288];
    double *d_real, real[32];
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_real, sizeof real);
    warps<<<1, 32>>>(d_out, d_real);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(real, d_real, sizeof real, cudaMemcpyDeviceToHost);
    if (out[0] != 1 || out[31] != 31 || out[32] != 16 || out[64 + 9] != 11 || out[96 + 5] != 3) return 1;
    if (out[128] != 0xaaaaaaaau || out[160] != 3 || out[192 + 5] != 0xf0 || out[224] != 496 + 31) return 2;
    if (out[256] != 32 + 31 + 4 + 0x80000000u) return 3;
    if (real[2] != 29.5 + 3 + 2.0 * 1099511627776.0) return 4;

    Cells *d_cells, cells[3] = {};
    unsigned short *d_short;
    cells[2].u = 50;
    cudaMalloc(&d_cells, sizeof cells);
    cudaMalloc(&d_short, 4);
    cudaMemset(d_short, 0, 4);
    cudaMemcpy(d_cells, cells, sizeof cells, cudaMemcpyHostToDevice);
    atomics<<<2, 64>>>(d_cells, d_short);
    cudaMemcpy(cells, d_cells, sizeof cells, cudaMemcpyDeviceToHost);
    if (cells[0].ull != 512 || cells[0].f != 64 || cells[0].d != 32 || cells[0].ll != -63) return 5;
    if (cells[0].u != 384 || cells[1].f != 7 || cells[1].u != 128 % 10 || cells[1].i == 0) return 6;

    int *d_in, in[256], *d_sums, sums[42];
    for (int i = 0; i < 256; i++) in[i] = i;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_sums, sizeof sums);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_sums, 0, sizeof sums);
    groups<<<1, 256>>>(d_sums, d_in);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    cudaFree(d_real);
    cudaFree(d_cells);
    cudaFree(d_short);
    cudaFree(d_in);
    cudaFree(d_sums);
    if (sums[0] != 255 * 128 || sums[1] != 28 || sums[2] != 92 || sums[39] != 8 * 4 || sums[41] != 511) return 7;
    return sums[40] == 86 ? 0 : 8;
}
