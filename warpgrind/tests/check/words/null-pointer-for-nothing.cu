// says: of the kernel's arguments, z and x are 0, and so is n
// says: cudaMalloc of 0 bytes gives a pointer to nothing
#include "../../mistakes/mistake.h"
__global__ void k(float *z, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[i] = x[i];
}
int main() {
    float *z, *x;
    int n = 0;
    CHECK(cudaMalloc(&z, n * sizeof(float)));
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    k<<<1, 64>>>(z, x, n);
    finish();
    CHECK(cudaFree(z));
    CHECK(cudaFree(x));
}
