#include "mistake.h"

__global__ void floats(float *z) {
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = z[threadIdx.x];
}

__global__ void whole(int *z) {
    extern __shared__ int buffer[]; // expect: compile-error
    buffer[threadIdx.x] = z[threadIdx.x];
}

int main() {
}
