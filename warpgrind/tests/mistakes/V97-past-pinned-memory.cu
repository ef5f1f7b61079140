// The last part of a pinned array is shorter than the others; the copy takes a whole one.
#include "mistake.h"

__global__ void twice(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

int main() {
    const int n = 1000, size = 300;
    float *h_x = nullptr;
    CHECK(cudaMallocHost(&h_x, n * sizeof(float)));
    for (int i = 0; i < n; i++)
        h_x[i] = i;
    float *d_x = device_floats(size);
    for (int first = 0; first < n; first += size) {
        cudaMemcpyAsync(d_x, h_x + first, size * sizeof(float), cudaMemcpyHostToDevice); // expect: out-of-bounds
        twice<<<2, 256>>>(d_x, size);
        cudaGetLastError();
        if (cudaMemcpy(h_x + first, d_x, size * sizeof(float), cudaMemcpyDeviceToHost)) break; // expect: out-of-bounds
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFreeHost(h_x));
}
