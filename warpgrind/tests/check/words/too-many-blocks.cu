// options: --steps 1000000
// says: error: limit: the kernel takes too many steps, though it makes progress
// says: of 300,000 blocks have ended
// says-not: error: hang
#include "../../mistakes/mistake.h"
__global__ void short_blocks(float *x) { x[threadIdx.x] = 1; }
int main() {
    float *x = device_floats(64);
    short_blocks<<<300000, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
