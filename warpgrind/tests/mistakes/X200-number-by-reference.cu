/* A kernel takes a number by reference: what it is passed is the address of the host's variable. */
#include "mistake.h"

__global__ void fill(float *z, const int &n) {
    if ((int)threadIdx.x < n) z[threadIdx.x] = 0; // also: host-device-pointer
}

int main() {
    int n = 64;
    float *z = device_floats(n);
    fill<<<1, n>>>(z, n); // expect: host-device-pointer // says: let the kernel take it by value
    return cudaDeviceSynchronize() == cudaSuccess;
}
