#include "mistake.h"

int main(void) {
    float *d_a;
    CHECK(cudaMalloc(&d_a, 1024));
    free(d_a); // expect: host-device-pointer // says: cudaFree
    return 0;
}
