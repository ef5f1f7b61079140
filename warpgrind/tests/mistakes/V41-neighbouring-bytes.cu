#include "mistake.h"

__global__ void mark(unsigned char *bytes) {
    bytes[threadIdx.x] = (unsigned char)threadIdx.x; // near: global-race
}

int main() {
    unsigned char *d = nullptr;
    CHECK(cudaMalloc(&d, 256));
    mark<<<1, 256>>>(d);
    mark<<<1, 256>>>(d);
    finish();
    CHECK(cudaFree(d));
}
