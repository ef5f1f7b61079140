/* Managed memory: the host writes, the kernel adds, the host reads after a synchronisation. Clang has no managed variables. */
#include "sample.h"

#ifdef __NVCC__
__managed__ int calls = 0;
#endif

__global__ void axpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
#ifdef __NVCC__
    if (i == 0) calls++;
#endif
}

int main() {
    const int n = 500;
    float *x = nullptr, *y = nullptr;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&y, n * sizeof(float)));
    std::vector<float> want(n);
    for (int i = 0; i < n; i++) {
        x[i] = sample_value(i);
        y[i] = sample_value(n + i);
        want[i] = y[i] + 2.0f * x[i];
    }
    axpy<<<(n + 63) / 64, 64>>>(y, x, 2.0f, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<float> got(y, y + n);
#ifdef __NVCC__
    if (calls != 1) return 1;
#endif
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    return verdict(got, want, 1e-6);
}
