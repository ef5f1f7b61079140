// options: --checks races
// says: note: limit: races are not watched everywhere from here on: there is no room for more records
// says-not: global-race
#include "../../mistakes/mistake.h"

__global__ void bytes(char *x) {
    x[blockIdx.x * blockDim.x + threadIdx.x]++;
}

int main() {
    char *x;
    CHECK(cudaMalloc(&x, 4 << 20));
    CHECK(cudaMemset(x, 0, 4 << 20));
    bytes<<<(4 << 20) / 256, 256>>>(x);
    finish();
    CHECK(cudaFree(x));
}
