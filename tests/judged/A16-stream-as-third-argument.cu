/* lesson: 01 */
#include <cuda_runtime.h>

__global__ void add(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

const float unset; // expect: compile-error // says: __constant__

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    float *d_x, *d_y, *d_z;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(d_x, n * sizeof(float)); // expect: compile-error // says: Is the & missing
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMalloc(&d_z, n * sizeof(float));
    add<<<(n + 255) / 256, 256, stream>>>(d_z, d_x, d_y, n); // expect: compile-error // says: the stream is the fourth
}
