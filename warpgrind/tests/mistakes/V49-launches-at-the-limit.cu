#include "mistake.h"

__global__ void touch(float *z, int n) {
    extern __shared__ float temp[];
    int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
    if (i < n) temp[0] = z[i] = 1; // the same value by all
}

static void launch(float *z, int n) {
    int blocks = (n + 255) / 256;
    if (blocks > 0) touch<<<blocks, 256, 4>>>(z, n); // near: invalid-launch; never with 0 blocks
}

int main() {
    float *z = device_floats(3000);
    touch<<<1, dim3(32, 32), 4>>>(z, 3000);    // near: invalid-launch; exactly 1024 threads
    touch<<<3, 64, 48 * 1024>>>(z, 3000);      // near: invalid-launch; exactly 48 KiB
    touch<<<dim3(2, 1, 1), 1024, 4>>>(z, 2048); // near: invalid-launch
    launch(z, 0);
    launch(z, 1);
    launch(z, 3000);
    finish();
    CHECK(cudaFree(z));
}
