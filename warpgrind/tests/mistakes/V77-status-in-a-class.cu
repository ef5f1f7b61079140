#include <cstdio>
#include <stdexcept>

#include <cuda_runtime.h>

static void must(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error("cuda");
}

class Floats {
public:
    explicit Floats(int n) { must(cudaMalloc(&data, n * sizeof(float))); } // near-note: unchecked-error
    ~Floats() { cudaFree(data); }                                          // near-note: unchecked-error
    float *data = nullptr;
};

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

int main() {
    float h[1000] = {1, 2, 3};
    Floats z(1000);
    cudaMemcpy(z.data, h, sizeof h, cudaMemcpyHostToDevice); // near-note: unchecked-error
    twice<<<4, 256>>>(z.data, 1000);
    cudaMemcpy(h, z.data, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[2]);
}
