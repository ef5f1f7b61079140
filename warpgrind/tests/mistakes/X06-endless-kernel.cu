#include "mistake.h"

__global__ void wait_for_nobody(volatile int *flag) {
    while (*flag == 0) { // expect: hang
    }
}

int main() {
    int *flag = nullptr;
    CHECK(cudaMalloc(&flag, sizeof(int)));
    CHECK(cudaMemset(flag, 0, sizeof(int)));
    wait_for_nobody<<<1, 1>>>(flag);
    finish();
}
