// What was asked for is more than any card here has, and nobody looks: that comes first, and the rest follows from it.
#include "mistake.h"

__global__ void fill(float *z, int n) {
    if (threadIdx.x < n) z[threadIdx.x] = 1; // expect: out-of-bounds
}

int main() {
    float *z = nullptr, got = 0;
    cudaMalloc(&z, (size_t)40 << 30); // expect: limit unchecked-error // first // says: --memory 65536
    fill<<<1, 32>>>(z, 32);
    cudaDeviceSynchronize(); // expect: unchecked-error
    cudaMemcpy(&got, z, sizeof got, cudaMemcpyDeviceToHost); // expect: unchecked-error
    printf("%g\n", (double)got);
    return 0;
}
