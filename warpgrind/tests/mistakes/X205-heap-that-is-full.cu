/* malloc and new in a kernel return NULL when the heap of the device is full, and a kernel that does not look writes there. */
#include "mistake.h"

__device__ int *kept[64];

__global__ void keeps(int bytes) {
    int *own = (int *)malloc(bytes);
    kept[threadIdx.x] = own;
    own[0] = threadIdx.x; // expect: out-of-bounds // says: In line 7 this kernel asked the device's heap for memory and got none
}

__global__ void looks(int bytes) {
    int *own = (int *)malloc(bytes);
    if (own) own[0] = threadIdx.x; // near: out-of-bounds
    free(own);
}

__global__ void follows(int **p) {
    *p[0] = 1; // expect: out-of-bounds // says: Trace the pointer that this line uses
}

int main(int argc, char **) {
    looks<<<1, 64>>>(1 << 20);
    finish();
    keeps<<<1, 64>>>(1 << 20);
    if (cudaDeviceSynchronize() == cudaSuccess) return 1;
    CHECK(cudaDeviceReset());
    int **p = nullptr;
    CHECK(cudaMalloc(&p, sizeof *p));
    CHECK(cudaMemset(p, 0, sizeof *p));
    follows<<<1, 1>>>(p);
    if (cudaDeviceSynchronize() == cudaSuccess) return 1;
    CHECK(cudaDeviceReset());
    return argc > 5;
}
