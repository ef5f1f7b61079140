/* Functions of CUB that are asked how many bytes they need, one for the largest number, once for many calls, or for the number alone. */
/* clang only: the headers of a toolkit's own CUB do not tell of their calls */
#include "mistake.h"

#include <algorithm>
#include <cub/cub.cuh>

enum { N = 100, TIMES = 3 };

static size_t bytes_for_sum(const int *in, int *out, int count) {
    size_t bytes = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, in, out, count)); // near-note: api-misuse; asked twice, then called
    return bytes;
}

int main() {
    std::vector<int> h(N, 1);
    int *in = nullptr, *out = nullptr, *sums = nullptr;
    void *storage = nullptr;
    size_t scan_bytes = 0, alone = 0;
    CHECK(cudaMalloc(&in, N * sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMalloc(&sums, N * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    size_t bytes = std::max(bytes_for_sum(in, out, N / 2), bytes_for_sum(in, out, N));
    CHECK(cub::DeviceScan::InclusiveSum(nullptr, scan_bytes, in, sums, N)); // near-note: api-misuse
    CHECK(cub::DeviceReduce::Max(nullptr, alone, in, out, N)); // near-note: api-misuse; how many it would be
    bytes = std::max(bytes, scan_bytes);
    CHECK(cudaMalloc(&storage, bytes));
    for (int i = 0; i < TIMES; i++) {
        CHECK(cub::DeviceReduce::Sum(storage, bytes, in, out, N));
        CHECK(cub::DeviceScan::InclusiveSum(storage, bytes, in, sums, N));
    }
    CHECK(cudaMemcpy(&h[1], out, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h.data(), sums, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(storage));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sums));
    printf("%d %d\n", h[0], h[1] + (alone > 0));
}
