// says: error: hang: the kernel does not end: threads 0-63 of block 0 run in a loop in line 6
// says-not: limit
#include "../../mistakes/mistake.h"
__global__ void sum(float *x, int n) {
    float s = 0;
    for (int i = 0; i < n;) s += x[i];
    x[threadIdx.x] = s;
}
int main() {
    float *x = device_floats(64);
    sum<<<1, 64>>>(x, 64);
    cudaDeviceSynchronize();
    cudaFree(x);
}
