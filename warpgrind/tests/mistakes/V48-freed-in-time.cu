#include "mistake.h"

#include <memory>

struct Free {
    void operator()(float *pointer) const { CHECK(cudaFree(pointer)); }
};

__global__ void fill(float *z, float value) {
    z[threadIdx.x] = value;
}

static float *made(void) {
    float *z = nullptr;
    CHECK(cudaMalloc(&z, 64 * sizeof(float))); // near: leak; the caller frees it
    return z;
}

int main() {
    float *a = made(), h[64];
    fill<<<1, 64>>>(a, 1);
    CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(a));
    a = made();
    fill<<<1, 64>>>(a, 2); // near: use-after-free; the same variable, new memory
    std::unique_ptr<float, Free> owned(made()); // near: leak
    fill<<<1, 64>>>(owned.get(), 3);
    fill<<<1, 64>>>(a, 4);
    CHECK(cudaFree(a)); // near: use-after-free; cudaFree waits for the kernels
    for (int round = 0; round < 3; round++) {
        float *each = nullptr;
        CHECK(cudaMallocAsync((void **)&each, 256, 0)); // near: leak
        fill<<<1, 64>>>(each, 5);
        CHECK(cudaFreeAsync(each, 0)); // near: use-after-free missing-sync; the stream's order is enough
    }
    CHECK(cudaMallocAsync((void **)&a, 256, 0)); // near: leak
    fill<<<1, 64>>>(a, 6);
    CHECK(cudaStreamSynchronize(0));
    CHECK(cudaFree(a)); // near: missing-sync; it waits for nobody here, and the host has waited
    finish();
}
