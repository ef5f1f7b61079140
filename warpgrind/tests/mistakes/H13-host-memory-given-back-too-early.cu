#include "mistake.h"

__global__ void fill(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = (float)i; // expect: missing-sync
}

int main() {
    enum { N = 2048, BYTES = N * sizeof(float) };
    float *d = device_floats(N), *pinned = nullptr, *mapped = nullptr;
    std::vector<float> registered(N), read_by_kernel(N);
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMallocHost(&pinned, BYTES));
    CHECK(cudaMemcpyAsync(pinned, d, BYTES, cudaMemcpyDeviceToHost, s));
    CHECK(cudaFreeHost(pinned)); // expect: missing-sync
    CHECK(cudaHostRegister(registered.data(), BYTES, cudaHostRegisterDefault));
    CHECK(cudaMemcpyAsync(d, registered.data(), BYTES, cudaMemcpyHostToDevice, s));
    CHECK(cudaHostUnregister(registered.data())); // expect: missing-sync
    CHECK(cudaHostAlloc(&mapped, BYTES, cudaHostAllocMapped));
    fill<<<N / 256, 256, 0, s>>>(mapped, N);
    CHECK(cudaFreeHost(mapped)); // expect: missing-sync
    CHECK(cudaHostRegister(read_by_kernel.data(), BYTES, cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&mapped, read_by_kernel.data(), 0));
    fill<<<N / 256, 256, 0, s>>>(mapped, N);
    CHECK(cudaHostUnregister(read_by_kernel.data())); // expect: missing-sync
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
    printf("%g\n", read_by_kernel[3]);
}
