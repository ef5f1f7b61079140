#include "mistake.h"

__global__ void hello(void) {
    printf("hello from thread %d\n", threadIdx.x);
}

int main() {
    hello<<<1, 4>>>(); // expect: missing-sync
    CHECK(cudaGetLastError());
}
