// says: error: hang: the kernel does not end: threads 0-63 of block 0 run in a loop
#include "../../mistakes/mistake.h"
__global__ void k(float *y, int n) {
    float s = 0;
    for (int i = 32; i >= 0; i /= 2)
        s += 1;
    y[threadIdx.x] = s;
}
__global__ void wait(volatile int *y) {
    while (*y == 0) {
    }
}
int main(int c, char **v) {
    float *y = device_floats(64);
    int *f;
    CHECK(cudaMalloc(&f, 4));
    CHECK(cudaMemset(f, 0, 4));
    if (c < 2)
        k<<<1, 64>>>(y, 2000000000);
    else
        wait<<<1, 64>>>(f);
    finish();
    CHECK(cudaFree(y));
}
