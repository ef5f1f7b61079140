// options: --steps 1000000
// says: error: limit: the kernel takes too many steps, though it makes progress
// says: is at
// says: on the way to 100,000,000
// says-not: error: hang
#include "../../mistakes/mistake.h"
__global__ void barriers(float *x, int n) {
    __shared__ float s[64];
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
    }
}
int main() {
    float *x = device_floats(64);
    barriers<<<1, 64>>>(x, 100000000);
    cudaDeviceSynchronize();
    cudaFree(x);
}
