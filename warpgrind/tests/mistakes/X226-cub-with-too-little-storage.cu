/* The storage is for fewer elements than the call has, so that it computes nothing; who compares what it returns knows. */
/* clang only: the headers of a toolkit's own CUB do not tell of their calls */
#include "mistake.h"

#include <cub/cub.cuh>

static const int N = 20000;

int main() {
    std::vector<int> h(N, 1);
    int *in = nullptr, *sums = nullptr, *sorted = nullptr;
    void *storage = nullptr;
    size_t bytes = 0;
    CHECK(cudaMalloc(&in, N * sizeof(int)));
    CHECK(cudaMalloc(&sums, N * sizeof(int)));
    CHECK(cudaMalloc(&sorted, N * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cub::DeviceRadixSort::SortKeys(nullptr, bytes, in, sorted, 100));
    CHECK(cudaMalloc(&storage, bytes));
    cub::DeviceRadixSort::SortKeys(storage, bytes, in, sorted, N); // expect: api-misuse // first // says: CUB got 1 of the
    CHECK(cudaFree(storage));
    CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, in, sums, N));
    CHECK(cudaMalloc(&storage, bytes));
    size_t half = bytes / 2;
    cub::DeviceScan::InclusiveSum(storage, half, in, sums, N); // expect: api-misuse // says: with the same arguments
    CHECK(cub::DeviceScan::InclusiveSum(storage, bytes, in, sums, N)); // near: api-misuse
    CHECK(cudaMemcpy(h.data(), sums, N * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d\n", h[N - 1]);
    CHECK(cudaFree(storage));
    CHECK(cudaFree(in));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(sorted));
}
