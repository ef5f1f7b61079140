#include "mistake.h"

int main() {
    float *d = nullptr;
    CHECK(cudaMalloc(&d, 256));
    CHECK(cudaMemset(&d, 0, 256)); // expect: host-device-pointer
    CHECK(cudaFree(d));
}
