#include "mistake.h"

__global__ void fill(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = (float)i;
}

int main() {
    enum { N = 2048, BYTES = N * sizeof(float) };
    float *d = device_floats(N), *pinned = nullptr, *other = nullptr, *mapped = nullptr;
    std::vector<float> registered(N);
    cudaStream_t s;
    cudaEvent_t copied;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&copied));
    CHECK(cudaMallocHost(&pinned, BYTES));
    CHECK(cudaMallocHost(&other, BYTES));
    CHECK(cudaHostAlloc(&mapped, BYTES, cudaHostAllocMapped));
    CHECK(cudaMemcpyAsync(pinned, d, BYTES, cudaMemcpyDeviceToHost, s));
    CHECK(cudaEventRecord(copied, s));
    fill<<<N / 256, 256, 0, s>>>(mapped, N);
    CHECK(cudaFreeHost(other)); // near: missing-sync; the stream works with other memory
    CHECK(cudaEventSynchronize(copied));
    CHECK(cudaFreeHost(pinned)); // near: missing-sync; its copy is done
    CHECK(cudaHostRegister(registered.data(), BYTES, cudaHostRegisterDefault));
    CHECK(cudaMemcpyAsync(d, registered.data(), BYTES, cudaMemcpyHostToDevice, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaHostUnregister(registered.data())); // near: missing-sync
    CHECK(cudaFreeHost(mapped));                  // near: missing-sync
    CHECK(cudaEventDestroy(copied));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
}
