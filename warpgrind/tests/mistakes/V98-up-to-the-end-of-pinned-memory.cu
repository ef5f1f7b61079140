// As V97, with the shorter last part: the copies end exactly where the memory does.
#include "mistake.h"

__global__ void twice(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2; // near: out-of-bounds
}

int main() {
    const int n = 1000, size = 300;
    float *h_x = nullptr;
    CHECK(cudaMallocHost(&h_x, n * sizeof(float)));
    for (int i = 0; i < n; i++)
        h_x[i] = i;
    float *d_x = device_floats(size);
    for (int first = 0; first < n; first += size) {
        const int count = n - first < size ? n - first : size;
        CHECK(cudaMemcpyAsync(d_x, h_x + first, count * sizeof(float), cudaMemcpyHostToDevice)); // near: out-of-bounds
        twice<<<2, 256>>>(d_x, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(h_x + first, d_x, count * sizeof(float), cudaMemcpyDeviceToHost)); // near: out-of-bounds
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFreeHost(h_x));
}
