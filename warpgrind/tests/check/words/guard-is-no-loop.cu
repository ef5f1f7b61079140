// options: --steps 2000000
// says: the kernel takes too many steps, though it makes progress
// says-not: on the way to
// The guard is no loop, though each warp that comes into the place of another compares again.
#include "../../mistakes/mistake.h"
__global__ void k(float *y, long long n) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i == n / 2) y[0] = 1;
}
int main() {
    float *y = device_floats(512);
    k<<<40000, 512>>>(y, 40000LL * 512 - 100);
    finish();
    CHECK(cudaFree(y));
}
