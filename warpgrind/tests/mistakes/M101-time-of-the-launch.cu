#include "mistake.h"

#include <chrono>

using Clock = std::chrono::steady_clock;

__global__ void twice(float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] *= 2;
}

int main() {
    float *z = device_floats(1000);
    Clock::time_point start = Clock::now();
    twice<<<4, 256>>>(z, 1000); // expect-note: api-misuse
    Clock::time_point end = Clock::now();
    CHECK(cudaDeviceSynchronize());
    printf("%g s\n", std::chrono::duration<double>(end - start).count());
    CHECK(cudaFree(z));
}
