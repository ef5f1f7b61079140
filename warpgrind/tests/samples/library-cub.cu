/* What CUB does with a whole device: reduce, scan, radix sort of keys and pairs, select, unique, histogram and run
 * lengths, each in its two calls: how much memory, and the work. */
#include "sample.h"

#include <algorithm>
#include <numeric>

#include <cub/cub.cuh>

/* Twice the same call, as CUB wants it: the first says how many bytes it needs. */
#define TWICE(call)                                                                                            \
    do {                                                                                                       \
        void *storage = nullptr;                                                                               \
        size_t bytes = 0;                                                                                      \
        CHECK(call);                                                                                           \
        CHECK(cudaMalloc(&storage, bytes));                                                                    \
        CHECK(call);                                                                                           \
        CHECK(cudaFree(storage));                                                                              \
    } while (0)

struct Odd {
    __host__ __device__ bool operator()(int a) const { return a & 1; }
};
struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

static std::vector<int> everything;

static void collect(const int *d_values, size_t n) {
    std::vector<int> values = to_host(d_values, n);
    everything.insert(everything.end(), values.begin(), values.end());
}

int main() {
    const int n = 4321, levels = 9, low = -400, high = 400;
    std::vector<int> in(n), runs(n), want;
    for (int i = 0; i < n; i++) {
        in[i] = (int)(i * 2654435761u >> 16) % 400;
        runs[i] = i / 7 % 5 + (i > 2000);
    }
    int *d_in = to_device(in), *d_runs = to_device(runs), *d_out = nullptr, *d_more = nullptr, *d_count = nullptr;
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMalloc(&d_more, n * sizeof(int)));
    CHECK(cudaMalloc(&d_count, sizeof(int)));

    TWICE(cub::DeviceReduce::Sum(storage, bytes, d_in, d_count, n));
    collect(d_count, 1);
    want.push_back(std::accumulate(in.begin(), in.end(), 0));
    TWICE(cub::DeviceReduce::Reduce(storage, bytes, d_in, d_count, n, Larger(), low));
    collect(d_count, 1);
    want.push_back(*std::max_element(in.begin(), in.end()));

    TWICE(cub::DeviceScan::ExclusiveSum(storage, bytes, d_in, d_out, n));
    collect(d_out, n);
    for (int i = 0, sum = 0; i < n; sum += in[i++])
        want.push_back(sum);
    TWICE(cub::DeviceScan::InclusiveScan(storage, bytes, d_in, d_out, Larger(), n));
    collect(d_out, n);
    for (int i = 0, most = in[0]; i < n; i++)
        want.push_back(most = std::max(most, in[i]));

    std::vector<int> sorted(in), places(n);
    std::sort(sorted.begin(), sorted.end());
    TWICE(cub::DeviceRadixSort::SortKeys(storage, bytes, d_in, d_out, n));
    collect(d_out, n);
    want.insert(want.end(), sorted.begin(), sorted.end());
    std::iota(places.begin(), places.end(), 0);
    int *d_places = to_device(places);
    TWICE(cub::DeviceRadixSort::SortPairsDescending(storage, bytes, d_in, d_out, d_places, d_more, n));
    collect(d_more, n);
    std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return in[a] > in[b]; });
    want.insert(want.end(), places.begin(), places.end());

    std::vector<int> odd;
    std::copy_if(in.begin(), in.end(), std::back_inserter(odd), Odd());
    TWICE(cub::DeviceSelect::If(storage, bytes, d_in, d_out, d_count, n, Odd()));
    collect(d_count, 1);
    collect(d_out, odd.size());
    want.push_back((int)odd.size());
    want.insert(want.end(), odd.begin(), odd.end());

    std::vector<int> lengths;
    for (int i = 0; i < n; i++) {
        if (i == 0 || runs[i] != runs[i - 1]) lengths.push_back(0);
        lengths.back()++;
    }
    std::vector<int> heads(runs);
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    TWICE(cub::DeviceSelect::Unique(storage, bytes, d_runs, d_out, d_count, n));
    collect(d_count, 1);
    collect(d_out, heads.size());
    want.push_back((int)heads.size());
    want.insert(want.end(), heads.begin(), heads.end());
    TWICE(cub::DeviceRunLengthEncode::Encode(storage, bytes, d_runs, d_out, d_more, d_count, n));
    collect(d_count, 1);
    collect(d_out, heads.size());
    collect(d_more, heads.size());
    want.push_back((int)heads.size());
    want.insert(want.end(), heads.begin(), heads.end());
    want.insert(want.end(), lengths.begin(), lengths.end());

    std::vector<int> counts(levels - 1);
    for (int value : in)
        counts[(value - low) / ((high - low) / (levels - 1))]++;
    TWICE(cub::DeviceHistogram::HistogramEven(storage, bytes, d_in, d_out, levels, low, high, n));
    collect(d_out, levels - 1);
    want.insert(want.end(), counts.begin(), counts.end());

    for (int *memory : {d_in, d_runs, d_out, d_more, d_count, d_places})
        CHECK(cudaFree(memory));
    return verdict(everything, want);
}
