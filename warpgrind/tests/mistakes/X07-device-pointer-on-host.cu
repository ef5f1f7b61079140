#include "mistake.h"

int main() {
    float *z = device_floats(32);
    z[0] = 1; // expect: host-device-pointer
    CHECK(cudaFree(z));
}
