/* Cooperative groups: tiles of 64 to 512 threads meet, reduce, scan and vote, several sizes in one kernel;
 * warps find extremes; and without shared memory of the program's own. Below 8.0 their barriers lie in what
 * the program gives them. nvcc also: sm_75 sm_90; no note: divergent-branch */
#include "sample.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

enum { THREADS = 1024, BLOCKS = 6, SIZES = 4 };

template <int SIZE>
__device__ void use_tiles(int *out, const int *in, int *stage, const cg::thread_block &block) {
    auto tile = cg::tiled_partition<SIZE>(block);
    int i = block.thread_rank(), first = i / SIZE * SIZE;
    stage[i] = in[i];
    tile.sync();
    int neighbour = stage[first + (i + 33) % SIZE];
    int sum = cg::reduce(tile, neighbour, cg::plus<int>());
    int before = cg::exclusive_scan(tile, neighbour);
    out[i] = sum + 3 * before + 1000 * tile.any(neighbour == 50) + 10000 * tile.shfl(neighbour, 40);
    tile.sync();
}

__global__ void several_sizes(int *out, const int *in) {
    extern __shared__ int stage[];
    __shared__ cg::block_tile_memory<THREADS> scratch;
    cg::thread_block block = cg::this_thread_block(scratch);
    in += blockIdx.x * THREADS;
    out += blockIdx.x * THREADS * SIZES;
    use_tiles<64>(out, in, stage, block);
    use_tiles<128>(out + THREADS, in, stage, block);
    use_tiles<256>(out + 2 * THREADS, in, stage, block);
    use_tiles<512>(out + 3 * THREADS, in, stage, block);
}

__global__ void sums_of_128(int *out, const int *in) {
    __shared__ cg::block_tile_memory<256> scratch;
    auto tile = cg::tiled_partition<128>(cg::this_thread_block(scratch));
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = cg::reduce(tile, in[i], cg::plus<int>());
    if (tile.thread_rank() == 0) out[i / 128] = sum;
}

/* The members choose and shift values without a branch of their own, so nothing is noted of the header. */
__global__ void extremes(int *out, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto active = cg::coalesced_threads();
    for (int round = 0; round < 4; round++) { // often enough for a note
        int most = cg::reduce(tile, in[i], cg::greater<int>()),
            least = cg::reduce(active, in[i], cg::less<int>());
        int before = cg::exclusive_scan(active, in[i]), with = cg::inclusive_scan(tile, in[i]);
        out[i] = most + 300 * least + 7 * before + with + active.shfl_down(in[i], 3);
    }
}

static void expect_extremes(int *want, const int *in) {
    int most = in[0], least = in[0], before = 0;
    for (int i = 0; i < 32; i++) {
        most = in[i] > most ? in[i] : most;
        least = in[i] < least ? in[i] : least;
    }
    for (int i = 0; i < 32; before += in[i++])
        want[i] = most + 300 * least + 7 * before + before + in[i] + in[i + 3 < 32 ? i + 3 : i];
}

static void expect_tile(int *want, const int *in, int size) {
    int sum = 0, before = 0;
    bool any = false;
    for (int i = 0; i < size; i++) {
        sum += in[i];
        any = any || in[i] == 50;
    }
    for (int i = 0; i < size; i++) {
        want[i] = sum + 3 * before + 1000 * any + 10000 * in[(40 + 33) % size];
        before += in[(i + 33) % size];
    }
}

static std::vector<int> expect(const std::vector<int> &in) {
    std::vector<int> want(BLOCKS * THREADS * SIZES);
    for (int block = 0; block < BLOCKS; block++)
        for (int s = 0, size = 64; s < SIZES; s++, size *= 2)
            for (int first = 0; first < THREADS; first += size)
                expect_tile(&want[(block * SIZES + s) * THREADS + first], &in[block * THREADS + first], size);
    for (int i = 0; i < BLOCKS * THREADS; i += 128) {
        int sum = 0;
        for (int k = 0; k < 128; k++)
            sum += in[i + k];
        want.push_back(sum);
    }
    const size_t others = want.size();
    want.resize(others + BLOCKS * THREADS);
    for (int i = 0; i < BLOCKS * THREADS; i += 32)
        expect_extremes(&want[others + i], &in[i]);
    return want;
}

int main() {
    const int n = BLOCKS * THREADS;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++)
        in[i] = (i * 37 + i / 64) % 211 - 100;
    std::vector<int> want = expect(in);
    int *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(int)));
    several_sizes<<<BLOCKS, THREADS, THREADS * sizeof(int)>>>(d_out, d_in);
    CHECK(cudaGetLastError());
    sums_of_128<<<n / 256, 256>>>(d_out + n * SIZES, d_in);
    CHECK(cudaGetLastError());
    extremes<<<BLOCKS, THREADS>>>(d_out + want.size() - n, d_in);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_out, want.size());
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, want);
}
