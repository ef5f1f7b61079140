/* HistogramEven has as many borders as levels, and so one bin less. And what CUB keeps in its storage is no result that somebody forgot. */
#include "mistake.h"

#include <cub/cub.cuh>

int main() {
    float host[100], *x = nullptr;
    int *bins = nullptr, counts[10];
    void *storage = nullptr;
    size_t bytes = 0;
    for (int i = 0; i < 100; i++) host[i] = (float)i / 10;
    CHECK(cudaMalloc(&x, sizeof host));
    CHECK(cudaMalloc(&bins, sizeof counts));
    CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cub::DeviceHistogram::HistogramEven(storage, bytes, x, bins, 10, 0.0f, 10.0f, 100));
    CHECK(cudaMalloc(&storage, bytes)); // near-note: unused-result
    CHECK(cub::DeviceHistogram::HistogramEven(storage, bytes, x, bins, 10, 0.0f, 10.0f, 100)); // near-note: unused-result
    CHECK(cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost)); // expect: uninitialized-read // says: element 9 of 10 // says: n borders of a histogram make n - 1 bins
    printf("%d\n", counts[0]);
    CHECK(cudaFree(x));
    CHECK(cudaFree(bins));
    CHECK(cudaFree(storage));
}
