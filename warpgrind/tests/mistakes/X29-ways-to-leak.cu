#include "mistake.h"

static bool convert(int n) {
    float *d = nullptr;
    CHECK(cudaMalloc(&d, 4096)); // expect: leak
    if (n == 0) return false;
    CHECK(cudaFree(d));
    return true;
}

int main() {
    float *z = nullptr, *late = nullptr;
    CHECK(cudaMalloc(&z, 1024)); // expect: leak
    CHECK(cudaMalloc(&z, 2048)); // the first one has no pointer any more
    convert(0);
    convert(1);
    CHECK(cudaMallocAsync((void **)&late, 512, 0)); // expect: leak
    CHECK(cudaFree(z));
}
