// says: a loop over the elements must step by the number of all threads, gridDim.x * blockDim.x (here 4 * 64)
#include "../../mistakes/mistake.h"
__global__ void copy(float *y, const float *x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        y[i] = x[i];
}
int main() {
    float *x = device_floats(1000), *y = device_floats(1000);
    copy<<<4, 64>>>(y, x, 1000);
    finish();
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}
