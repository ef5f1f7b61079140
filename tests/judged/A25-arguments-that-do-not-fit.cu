/* lesson: 04 */
#include <cuda_runtime.h>

__constant__ float c_b;

__global__ void kernel(float *y, const float *x, int n) {
    y[0] = __shfl_down_sync(x[0], 1); // expect: compile-error // says: They are the mask of the lanes that take part
}

void multiply_add(float *d_y, const float *d_x1, const float *d_x2, int n, float b) {
    float *d_b = nullptr;
    cudaMalloc(&c_b, sizeof b);  // expect: compile-error // says: needs no cudaMalloc
    cudaMalloc(d_b, sizeof b);   // expect: compile-error // says: Is the & missing
    cudaMemcpy(d_x1, d_b, sizeof b, cudaMemcpyHostToDevice); // expect: compile-error // says: cudaMemcpy(to, from, bytes, direction)
    cudaMemcpy(d_b, &b, cudaMemcpyHostToDevice); // expect: compile-error // says: They are cudaMemcpy(to, from, bytes, direction)
    kernel<<<1, 32>>>(d_y, n, d_x1); // expect: compile-error // says: are two swapped?
    kernel<<<1>>>(d_y, d_x1, n); // expect: compile-error // says: kernel<<<1, threads>>>(...)
}
