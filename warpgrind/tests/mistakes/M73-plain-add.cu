#include "mistake.h"

__global__ void count(int *total) {
    *total += 1; // expect: global-race
}

int main() {
    int *total = nullptr;
    CHECK(cudaMalloc(&total, sizeof(int)));
    CHECK(cudaMemset(total, 0, sizeof(int)));
    count<<<1, 256>>>(total);
    finish();
    CHECK(cudaFree(total));
}
