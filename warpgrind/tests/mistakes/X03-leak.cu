#include "mistake.h"

int main() {
    float *z = nullptr;
    CHECK(cudaMalloc(&z, 1024)); // expect: leak
}
