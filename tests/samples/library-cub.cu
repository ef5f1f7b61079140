/* nvcc only: block and device algorithms of CUB. */
#include "sample.h"

#include <cub/cub.cuh>

__global__ void block_sums(int *out, const int *in) {
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    int sum = Reduce(storage).Sum(in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
    const int n = 1280;
    std::vector<int> in(n), want(10 + 1 + n);
    for (int i = 0, sum = 0; i < n; i++) {
        in[i] = (i * 29) % 83 - 40;
        want[i / 128] += in[i];
        want[11 + i] = sum += in[i];
        want[10] = sum;
    }
    int *d_in = to_device(in), *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, want.size() * sizeof(int)));
    block_sums<<<10, 128>>>(d_out, d_in);
    CHECK(cudaGetLastError());
    void *storage = nullptr;
    size_t reduce_bytes = 0, scan_bytes = 0;
    CHECK(cub::DeviceReduce::Sum(nullptr, reduce_bytes, d_in, d_out + 10, n));
    CHECK(cub::DeviceScan::InclusiveSum(nullptr, scan_bytes, d_in, d_out + 11, n));
    CHECK(cudaMalloc(&storage, std::max(reduce_bytes, scan_bytes)));
    CHECK(cub::DeviceReduce::Sum(storage, reduce_bytes, d_in, d_out + 10, n));
    CHECK(cub::DeviceScan::InclusiveSum(storage, scan_bytes, d_in, d_out + 11, n));
    std::vector<int> got = to_host(d_out, want.size());
    CHECK(cudaFree(storage));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return verdict(got, want);
}
