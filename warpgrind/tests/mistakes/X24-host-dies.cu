#include "mistake.h"

static float first(const float *values) {
    return values[0]; // expect: crash
}

int main() {
    float *d = device_floats(32);
    CHECK(cudaFree(d));
    return first(nullptr) > 0;
}
