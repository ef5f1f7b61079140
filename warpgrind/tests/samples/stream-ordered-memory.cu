/* Allocation and release in stream order. */
#include "sample.h"

__global__ void iota(int *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = 3 * i;
}

int main() {
    const int n = 600;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int *h_values = nullptr;
    CHECK(cudaMallocHost(&h_values, n * sizeof(int)));
    std::vector<int> want(n);
    for (int i = 0; i < n; i++) want[i] = 3 * i;
    for (int round = 0; round < 3; round++) {
        int *d_values = nullptr;
        CHECK(cudaMallocAsync((void **)&d_values, n * sizeof(int), stream));
        iota<<<5, 128, 0, stream>>>(d_values, n);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(h_values, d_values, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
        CHECK(cudaFreeAsync(d_values, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    std::vector<int> got(h_values, h_values + n);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFreeHost(h_values));
    return verdict(got, want);
}
