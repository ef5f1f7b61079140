#include "mistake.h"

int main() {
    int n = 1 << 30;
    float *z = nullptr;
    CHECK(cudaMalloc(&z, (size_t)(int)(n * (int)sizeof(float) - 1))); // expect: api-misuse
}
