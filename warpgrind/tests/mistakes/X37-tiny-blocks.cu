#include "mistake.h"

__global__ void fill(float *z, int n) {
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 1;
}

int main() {
    const int n = 4096;
    float *z = device_floats(n);
    fill<<<n, 1>>>(z, n);              // expect-note: low-occupancy
    fill<<<n / 8, 8>>>(z, n);          // expect-note: low-occupancy
    fill<<<dim3(16, 16), 16>>>(z, n);  // expect-note: low-occupancy
    finish();
    CHECK(cudaFree(z));
}
