#include "mistake.h"

__device__ float best[64];
__device__ int ready;

__global__ void add(float *z, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + 1; // expect-note: unused-result
}

__global__ void scale(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2; // expect-note: unused-result
}

__global__ void count(const float *x, int *positive, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) atomicAdd(positive, 1);
    if (i < 64) best[i] = x[i]; // expect-note: unused-result
}

/* An optimiser drops the loop, and with it all that reads the variable. */
__global__ void wait_for_itself(float *x) {
    ready = 1; // near-note: unused-result
    __threadfence();
    while (!ready) {
    }
    x[0] = 3;
}

int main() {
    enum { N = 1000 };
    float *x = device_floats(N), *y = device_floats(N), *z = nullptr;
    int *positive = nullptr;
    std::vector<float> h(N);
    CHECK(cudaMalloc(&z, N * sizeof(float)));
    CHECK(cudaMalloc(&positive, sizeof(int)));
    CHECK(cudaMemset(positive, 0, sizeof(int)));
    add<<<4, 256>>>(z, x, N);
    scale<<<4, 256>>>(y, N);
    count<<<4, 256>>>(x, positive, N);
    wait_for_itself<<<1, 1>>>(x);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h.data(), x, N * sizeof(float), cudaMemcpyDeviceToHost)); // the wrong one
    printf("%g\n", h[1]);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
    CHECK(cudaFree(positive));
}
