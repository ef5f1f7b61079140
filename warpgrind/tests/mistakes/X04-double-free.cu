#include "mistake.h"

int main() {
    float *z = nullptr;
    CHECK(cudaMalloc(&z, 1024));
    CHECK(cudaFree(z));
    CHECK(cudaFree(z)); // expect: api-misuse
}
