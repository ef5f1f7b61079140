#include "mistake.h"

/* The root of a float is one off where 8 * i + 1 no longer fits its 24 bits: the last row becomes one more. */
__global__ void count_rows(int *rows, long first, int n) {
    long i = first + threadIdx.x;
    int row = (int)((sqrtf(8.0f * (float)i + 1.0f) - 1.0f) / 2.0f);
    if (i < (long)n * (n + 1) / 2) atomicAdd(&rows[row], 1); // expect: out-of-bounds
}

int main() {
    const int n = 8192;
    int *rows = nullptr;
    CHECK(cudaMalloc(&rows, n * sizeof(int)));
    CHECK(cudaMemset(rows, 0, n * sizeof(int)));
    count_rows<<<1, 64>>>(rows, (long)n * (n + 1) / 2 - 64, n);
    finish();
    CHECK(cudaFree(rows));
}
