// options: --steps 20000000
// says: error: limit: the kernel takes too many steps, though it makes progress: threads 0-63 of block 0 run in a loop in line 7
// says: on the way to 2,000,000,000
#include "../../mistakes/mistake.h"
__global__ void k(float *y, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s += 1.0f / (i + 1);
    y[threadIdx.x] = s;
}
int main() {
    float *y = device_floats(64);
    k<<<1, 64>>>(y, 2000000000);
    finish();
    CHECK(cudaFree(y));
}
