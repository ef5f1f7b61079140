/* smallest.cu - a program that does as little as a program can: what it takes is the start. */
#include <cuda_runtime.h>

__global__ void nothing(void) {}

int main(void) {
    nothing<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
