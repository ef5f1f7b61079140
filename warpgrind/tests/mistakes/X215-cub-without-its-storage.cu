/* A function of CUB with a null pointer says how many bytes it needs, each time, and computes nothing. */
/* clang only: the headers of a toolkit's own CUB do not tell of their calls */
#include "mistake.h"

#include <cub/cub.cuh>

static const int N = 100;

int main() {
    std::vector<int> h(N, 1);
    int *in = nullptr, *out = nullptr, *keys = nullptr, sum = -1;
    void *storage = nullptr;
    size_t bytes = 0;
    CHECK(cudaMalloc(&in, N * sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMalloc(&keys, N * sizeof(int)));
    CHECK(cudaMemcpy(in, h.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cub::DeviceReduce::Sum(storage, bytes, in, out, N));
    CHECK(cub::DeviceReduce::Sum(storage, bytes, in, out, N)); // expect-note: api-misuse // first // says: cub::DeviceReduce::Sum has computed nothing // says: after cudaMalloc(&storage, bytes)
    CHECK(cub::DeviceRadixSort::SortKeys(nullptr, bytes, in, keys, N));
    CHECK(cudaMalloc(&storage, bytes));
    CHECK(cub::DeviceRadixSort::SortKeys(storage, bytes, in, keys, N)); // near-note: api-misuse
    CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost)); // expect: uninitialized-read
    CHECK(cudaMemcpy(h.data(), keys, N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(storage));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(keys));
    printf("%d %d\n", sum, h[N - 1]);
}
