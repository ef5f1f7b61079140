// says: big: 80,000 bytes of __constant__ memory, declared at line 4, are too many beside the other variables: 80,040 are asked for in all, and there are 65,536
#include "../../mistakes/mistake.h"
__constant__ float small[10];
__constant__ float big[20000];
__global__ void k(float *y, int n) {
    y[threadIdx.x] = big[threadIdx.x] + small[0];
}
int main(int c, char **v) {
    float *y = device_floats(64);
    k<<<1, 64>>>(y, 2000000000);
    finish();
    CHECK(cudaFree(y));
}
