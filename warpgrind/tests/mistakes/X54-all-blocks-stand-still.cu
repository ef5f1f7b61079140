#include "mistake.h"

// All blocks stand still in the same way: one is told, the others are counted.
__global__ void wait_for_nobody(volatile int *flag) {
    while (*flag == 0) { // expect: hang // says: run in a loop in line 5, and the same in 4 more blocks
    }
}

int main() {
    int *flag = nullptr;
    CHECK(cudaMalloc(&flag, sizeof(int)));
    CHECK(cudaMemset(flag, 0, sizeof(int)));
    wait_for_nobody<<<5, 64>>>(flag);
    finish();
}
