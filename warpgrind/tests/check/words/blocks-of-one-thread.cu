// says: for 5,000 threads write <<<20, 256>>>, with a guard
// says: for one block write <<<1, 300>>>
// says-not: <<<1, 5000>>>
#include "../../mistakes/mistake.h"

__global__ void fill(int *z) {
    z[blockIdx.x] = 1;
}

int main() {
    int *z = nullptr;
    CHECK(cudaMalloc(&z, 5000 * sizeof(int)));
    fill<<<5000, 1>>>(z);
    finish();
    fill<<<300, 1>>>(z);
    finish();
    CHECK(cudaFree(z));
}
