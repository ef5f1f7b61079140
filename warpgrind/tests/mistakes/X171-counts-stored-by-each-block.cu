#include "mistake.h"

enum { BINS = 64 };

// Each block has counts of its own, and stores them where the others do.
__global__ void count(int *bins, const unsigned char *data, int n) {
    __shared__ int own[BINS];
    own[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&own[data[i] % BINS], 1);
    __syncthreads();
    bins[threadIdx.x] = own[threadIdx.x]; // expect: global-race // first // says: atomicAdd(&bins[...], value)
}

int main(void) {
    const int n = 3 * BINS;
    std::vector<unsigned char> data(n);
    for (int i = 0; i < n; i++) data[i] = (unsigned char)(i * i / 3);
    unsigned char *d_data;
    int *d_bins, bins[BINS];
    CHECK(cudaMalloc(&d_data, n));
    CHECK(cudaMalloc(&d_bins, sizeof bins));
    CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
    count<<<3, BINS>>>(d_bins, d_data, n);
    finish();
    CHECK(cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost));
    cudaFree(d_data);
    cudaFree(d_bins);
    return 0;
}
