/* What a function of CUB or Thrust does wrong stands at the line that calls it, with the line in its header beside. */
#include "mistake.h"

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/fill.h>

static const int N = 400;

int main() {
    int *in = nullptr, *out = nullptr, sum = 0;
    void *storage = nullptr;
    size_t bytes = 0;
    CHECK(cudaMalloc(&in, N * sizeof(int)));
    CHECK(cudaMalloc(&out, sizeof(int)));
    CHECK(cudaMemset(in, 0, N * sizeof(int)));
    CHECK(cub::DeviceReduce::Sum(nullptr, bytes, in, out, 2 * N));
    CHECK(cudaMalloc(&storage, bytes));
    CHECK(cub::DeviceReduce::Sum(storage, bytes, in, out, 2 * N)); // expect: out-of-bounds // says: reads
    if (cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost) != cudaSuccess) sum = -1;
    CHECK(cudaFree(storage));
    thrust::device_vector<int> to(10);
    auto end = thrust::fill_n(to.begin(), N, 1); // expect: out-of-bounds // says: writes
    printf("%d %d\n", sum, (int)(end - to.begin()));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}
