#include "mistake.h"

struct Pair {
    float *first, *second;
};

__global__ void twice(float *z, int n) {
    int i = threadIdx.x;
    if (i < n) z[i] *= 2;
}

__global__ void add(Pair pair, int n) {
    int i = threadIdx.x;
    if (i < n) pair.first[i] += pair.second[i];
}

int main() {
    const int n = 64;
    float *managed = nullptr, *mapped = nullptr, *seen = nullptr, *d = device_floats(n);
    CHECK(cudaMallocManaged(&managed, n * sizeof(float)));
    CHECK(cudaHostAlloc((void **)&mapped, n * sizeof(float), cudaHostAllocMapped));
    for (int i = 0; i < n; i++) managed[i] = mapped[i] = 1.0f;
    twice<<<1, n>>>(managed, n); // near: host-device-pointer; managed memory is for both
    CHECK(cudaDeviceSynchronize());
    managed[0] += 1.0f; // near: host-device-pointer missing-sync
    CHECK(cudaHostGetDevicePointer((void **)&seen, mapped, 0));
    twice<<<1, n>>>(seen, n); // near: host-device-pointer; mapped memory by its device address
    Pair pair = {managed, d + n / 2};
    add<<<1, n / 2>>>(pair, n / 2); // near: host-device-pointer; computed with on the host, not read through
    finish();
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(mapped));
    CHECK(cudaFree(d));
}
