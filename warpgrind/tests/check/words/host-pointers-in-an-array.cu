// The pointer that is wrong is no argument of the launch: it was copied to the device inside an array.
// says: reads through a pointer into memory of the CPU, which the kernel found in an array or computed
// says: Allocate what they point to with cudaMalloc as well, and store those addresses in the array.
// says-not: as the pointer
#include "../../mistakes/mistake.h"

__global__ void add(float **rows) {
    rows[blockIdx.x][threadIdx.x] += 1;
}

int main() {
    float *rows[4], **d = nullptr;
    for (float *&row : rows) row = new float[64]();
    CHECK(cudaMalloc(&d, sizeof rows));
    CHECK(cudaMemcpy(d, rows, sizeof rows, cudaMemcpyHostToDevice));
    add<<<4, 64>>>(d);
    (void)cudaDeviceSynchronize();
    for (float *row : rows) delete[] row;
}
