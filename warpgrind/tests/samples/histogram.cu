/* 256 bins: shared-memory atomics in each block, then global atomics once a block. */
#include "sample.h"

enum { BINS = 256 };

__global__ void histogram(unsigned *bins, const unsigned char *bytes, int n) {
    __shared__ unsigned local[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) local[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[bytes[i]], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        if (local[bin]) atomicAdd(&bins[bin], local[bin]);
}

int main() {
    const int n = 50021;
    std::vector<unsigned char> bytes(n);
    std::vector<unsigned> want(BINS);
    for (int i = 0; i < n; i++) {
        bytes[i] = (unsigned char)((i * i + 3 * i) % 251);
        want[bytes[i]]++;
    }
    unsigned char *d_bytes = to_device(bytes);
    unsigned *d_bins = nullptr;
    CHECK(cudaMalloc(&d_bins, BINS * sizeof(unsigned)));
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
    histogram<<<8, 192>>>(d_bins, d_bytes, n);
    CHECK(cudaGetLastError());
    std::vector<unsigned> got = to_host(d_bins, BINS);
    CHECK(cudaFree(d_bytes));
    CHECK(cudaFree(d_bins));
    return verdict(got, want);
}
