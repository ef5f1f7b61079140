#include "mistake.h"

__constant__ float table[1024];

__global__ void look_up(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = table[i * 7 % 1024]; // expect-note: uncoalesced
}

__global__ void same_for_all(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= table[blockIdx.x % 1024]; // near: uncoalesced; one element for the whole block
}

int main() {
    const int n = 16384;
    std::vector<float> h(1024, 0.5f);
    float *z = device_floats(n);
    CHECK(cudaMemcpyToSymbol(table, h.data(), 1024 * sizeof(float)));
    look_up<<<n / 256, 256>>>(z, n);
    same_for_all<<<n / 256, 256>>>(z, n);
    finish();
    CHECK(cudaFree(z));
}
