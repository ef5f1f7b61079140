/* The kernel works on mapped host memory through its device pointer. */
#include "sample.h"

__global__ void add_one(int *values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}

int main() {
    const int n = 777;
    int *h_values = nullptr, *d_values = nullptr;
    CHECK(cudaHostAlloc(&h_values, n * sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < n; i++) h_values[i] = i;
    CHECK(cudaHostGetDevicePointer((void **)&d_values, h_values, 0));
    add_one<<<(n + 127) / 128, 128>>>(d_values, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<int> got(h_values, h_values + n), want(n);
    for (int i = 0; i < n; i++) want[i] = i + 1;
    CHECK(cudaFreeHost(h_values));
    return verdict(got, want);
}
