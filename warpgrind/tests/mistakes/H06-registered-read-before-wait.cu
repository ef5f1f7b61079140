#include "mistake.h"

#include <cstdlib>

__global__ void twice(int *z) {
    z[threadIdx.x] *= 2; // expect: missing-sync
}

int main() {
    int *h = (int *)malloc(1000 * sizeof(int)), *d = nullptr;
    for (int i = 0; i < 1000; i++)
        h[i] = i;
    CHECK(cudaHostRegister(h, 1000 * sizeof(int), cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&d, h, 0));
    twice<<<1, 32>>>(d);
    CHECK(cudaGetLastError());
    printf("%d\n", h[31]); // expect: missing-sync
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaHostUnregister(h));
    free(h);
}
