/* What CUB gives to a block and to a warp: loads and stores, reduce, scan, radix sort, histogram, discontinuities,
 * exchange, shuffle of a block; reduce, scan and merge sort of a warp. */
#include "sample.h"

#include <algorithm>

#include <cub/cub.cuh>

const int threads = 128, items = 4, tile = threads * items, blocks = 3, bins = 16;

struct Row { /* where each answer of a block lies */
    static const int sum = 0, largest = 1, scan = 2, sorted = scan + tile, striped = sorted + tile,
                     counts = striped + tile, heads = counts + bins, warps = heads + threads,
                     warp_scan = warps + threads / 32, words = warp_scan + threads;
};

struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

union Storage {
    typename cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>::TempStorage load;
    typename cub::BlockStore<int, threads, items, cub::BLOCK_STORE_TRANSPOSE>::TempStorage store;
    typename cub::BlockReduce<int, threads>::TempStorage reduce;
    typename cub::BlockScan<int, threads>::TempStorage scan;
    typename cub::BlockRadixSort<int, threads, items>::TempStorage sort;
    typename cub::BlockHistogram<unsigned char, threads, items, bins>::TempStorage histogram;
    typename cub::BlockDiscontinuity<int, threads>::TempStorage heads;
    typename cub::BlockExchange<int, threads, items>::TempStorage exchange;
    typename cub::WarpReduce<int>::TempStorage warp_reduce[threads / 32];
    typename cub::WarpScan<int>::TempStorage warp_scan[threads / 32];
};

__global__ void block_algorithms(int *out, const int *in) {
    __shared__ Storage storage;
    __shared__ unsigned int histogram[bins];
    const int *mine = in + blockIdx.x * tile;
    int *row = out + blockIdx.x * Row::words;
    int value[items];
    cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>(storage.load).Load(mine, value);
    __syncthreads();

    int sum = cub::BlockReduce<int, threads>(storage.reduce).Sum(value);
    __syncthreads();
    int largest = cub::BlockReduce<int, threads>(storage.reduce).Reduce(value, Larger());
    if (threadIdx.x == 0) {
        row[Row::sum] = sum;
        row[Row::largest] = largest;
    }
    __syncthreads();

    int scanned[items];
    cub::BlockScan<int, threads>(storage.scan).ExclusiveSum(value, scanned);
    __syncthreads();
    cub::BlockStore<int, threads, items, cub::BLOCK_STORE_TRANSPOSE>(storage.store).Store(row + Row::scan, scanned);
    __syncthreads();

    unsigned char bin[items];
    for (int i = 0; i < items; i++)
        bin[i] = (unsigned char)(value[i] & (bins - 1));
    cub::BlockHistogram<unsigned char, threads, items, bins>(storage.histogram).Histogram(bin, histogram);
    __syncthreads();
    if (threadIdx.x < bins) row[Row::counts + threadIdx.x] = (int)histogram[threadIdx.x];

    int first[1] = {value[0] / 32}, flag[1];
    cub::BlockDiscontinuity<int, threads>(storage.heads).FlagHeads(flag, first, [](int a, int b) { return a != b; });
    row[Row::heads + threadIdx.x] = flag[0];
    __syncthreads();

    int warp = threadIdx.x / 32, warp_sum = cub::WarpReduce<int>(storage.warp_reduce[warp]).Sum(value[1]);
    if (threadIdx.x % 32 == 0) row[Row::warps + warp] = warp_sum;
    __syncthreads();
    int running;
    cub::WarpScan<int>(storage.warp_scan[warp]).InclusiveSum(value[2], running);
    row[Row::warp_scan + threadIdx.x] = running;
    __syncthreads();

    int striped[items];
    cub::BlockExchange<int, threads, items>(storage.exchange).BlockedToStriped(value, striped);
    for (int i = 0; i < items; i++)
        row[Row::striped + i * threads + threadIdx.x] = striped[i];
    __syncthreads();

    cub::BlockRadixSort<int, threads, items>(storage.sort).Sort(value);
    for (int i = 0; i < items; i++)
        row[Row::sorted + threadIdx.x * items + i] = value[i];
}

static void expect(int *row, const int *in) {
    row[Row::largest] = in[0];
    for (int i = 0; i < tile; i++) {
        row[Row::scan + i] = row[Row::sum];
        row[Row::sum] += in[i];
        row[Row::largest] = std::max(row[Row::largest], in[i]);
        row[Row::counts + (in[i] & (bins - 1))]++;
        row[Row::striped + i] = row[Row::sorted + i] = in[i];
    }
    std::sort(row + Row::sorted, row + Row::sorted + tile);
    for (int t = 0; t < threads; t++) {
        row[Row::heads + t] = t == 0 || in[t * items] / 32 != in[(t - 1) * items] / 32;
        row[Row::warps + t / 32] += in[t * items + 1];
        row[Row::warp_scan + t] = (t % 32 ? row[Row::warp_scan + t - 1] : 0) + in[t * items + 2];
    }
}

int main() {
    std::vector<int> in(blocks * tile), want(blocks * Row::words);
    for (int i = 0; i < blocks * tile; i++)
        in[i] = (i * 2654435761u >> 20) % 1000 - 300;
    for (int b = 0; b < blocks; b++)
        expect(want.data() + b * Row::words, in.data() + b * tile);
    int *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(int)));
    block_algorithms<<<blocks, threads>>>(d_out, d_in);
    CHECK(cudaGetLastError());
    std::vector<int> got = to_host(d_out, want.size());
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, want);
}
