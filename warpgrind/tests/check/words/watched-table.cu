// Lookups all over a table are more than there are records for, but race with nothing, as nobody writes to it.
// options: --checks races
// says-not: races are not watched
// says: warpgrind: no findings
#include "../../mistakes/mistake.h"

__global__ void look_up(const unsigned char *table, unsigned length, unsigned *sums) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, at = thread, sum = 0;
    for (unsigned i = 0; i < 600; i++) {
        at = at * 747796405u + 2891336453u;
        sum += table[(at >> 4) % length];
    }
    sums[thread] = sum;
}

int main() {
    const unsigned length = 16 << 20, threads = 128 * 64;
    unsigned char *table;
    unsigned *sums;
    CHECK(cudaMalloc(&table, length));
    CHECK(cudaMalloc(&sums, threads * sizeof *sums));
    CHECK(cudaMemset(table, 1, length));
    look_up<<<threads / 128, 128>>>(table, length, sums);
    finish();
    CHECK(cudaFree(table));
    CHECK(cudaFree(sums));
}
