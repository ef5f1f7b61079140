/* unoptimised: the branch becomes a choice of values, and what the host reads of managed memory is not looked at */
#include "mistake.h"

__global__ void count(const int *x, int *out) {
    int negative = 0;
    for (int i = 0; i < 32; i++)
        if (x[i] < 0) negative++; // expect: uninitialized-read
    *out = negative;
}

int main() {
    int *x = nullptr, *out = nullptr;
    CHECK(cudaMallocManaged(&x, 32 * sizeof(int)));
    CHECK(cudaMallocManaged(&out, sizeof(int)));
    for (int i = 0; i < 31; i++) // the last one is forgotten
        x[i] = -1;
    count<<<1, 1>>>(x, out);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("%d\n", *out);
    CHECK(cudaFree(x));
    CHECK(cudaFree(out));
}
