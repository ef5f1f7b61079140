// says: note: limit: races are not watched between blocks whose numbers differ by a multiple of 1,048,576
// says-not: global-race
#include "../../mistakes/mistake.h"

__global__ void few_write(int *x) {
    if (blockIdx.x % 1048576 == 5) x[blockIdx.x / 1048576] = 3;
}

int main() {
    int *x;
    CHECK(cudaMalloc(&x, 8));
    few_write<<<1048576 + 64, 1>>>(x);
    finish();
    CHECK(cudaFree(x));
}
