/* A histogram of bytes that are all alike queues at one bin. With other bytes it did not, so it is the data's doing. */
#include "mistake.h"

__global__ void count(unsigned *bins, const unsigned char *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[data[i]], 1u); // near: atomic-contention
}

__global__ void count_alike(unsigned *bins, const unsigned char *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[data[i] / 255], 1u); // expect-note: atomic-contention
}

int main() {
    const int n = 16384;
    unsigned *bins;
    unsigned char *data;
    static unsigned char bytes[n];
    CHECK(cudaMalloc(&bins, 256 * sizeof *bins));
    CHECK(cudaMemset(bins, 0, 256 * sizeof *bins));
    CHECK(cudaMalloc(&data, n));
    for (int i = 0; i < n; i++) bytes[i] = (unsigned char)(i * 7);
    CHECK(cudaMemcpy(data, bytes, n, cudaMemcpyHostToDevice));
    count<<<n / 256, 256>>>(bins, data, n);
    count_alike<<<n / 256, 256>>>(bins, data, n);
    CHECK(cudaMemset(data, 65, n));
    count<<<n / 256, 256>>>(bins, data, n);
    count_alike<<<n / 256, 256>>>(bins, data, n);
    finish();
    CHECK(cudaFree(bins));
    CHECK(cudaFree(data));
}
