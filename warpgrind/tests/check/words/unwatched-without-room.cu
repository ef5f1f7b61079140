// Bytes all over an array leave a record for each, which nothing makes smaller.
// options: --checks races
// says: note: limit: races are not watched everywhere from here on: there is no room for more records
// says-not: global-race
#include "../../mistakes/mistake.h"

__global__ void bytes(char *x, unsigned length) {
    x[(blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u % length]++;
}

int main() {
    const unsigned length = 4 << 20;
    char *x;
    CHECK(cudaMalloc(&x, length));
    CHECK(cudaMemset(x, 0, length));
    bytes<<<length / 256, 256>>>(x, length);
    finish();
    CHECK(cudaFree(x));
}
