/* lesson: 01 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

__global__ void add(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool last;
    if ((last = i == n - 1)) z[i] = x[i] + y[i]; // near: compiler-warning; in parentheses it is meant
    if (i < n && !last) z[i] = x[i] + y[i];
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;                         // near: compiler-warning compile-error
    float *d_x, *d_y, *d_z;
    size_t bytes = n * sizeof(float);           // near: compiler-warning; a sign that is never set
    n == n;                                     // expect-note: compiler-warning
    int blocks = (n + 255) / 256, ready = 0;
    printf("%d bytes\n", bytes);                // expect-note: compiler-warning
    if (ready = blocks > 0)                     // expect-note: compiler-warning
        CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
    add<<<blocks, 256>>>(d_z, d_x, d_y, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
}
