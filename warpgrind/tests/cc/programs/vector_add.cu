// A first program: allocate, copy, launch, copy back, free, with every call checked. Includes almost nothing.
#include <stdio.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t status = (call);                                                                                   \
        if (status != cudaSuccess) {                                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, cudaGetErrorName(status),                           \
                    cudaGetErrorString(status));                                                                       \
            exit(EXIT_FAILURE);                                                                                        \
        }                                                                                                              \
    } while (0)

__global__ void vector_add_kernel(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    size_t bytes = n * sizeof(float);
    float *d_x, *d_y, *d_z = NULL;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc((void **)&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    vector_add_kernel<<<blocks, threads>>>(d_z, d_x, d_y, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
}

int main(int argc, char **argv) {
    const int n = 1000;
    float *x = (float *)malloc(n * sizeof(float)), *y = (float *)malloc(n * sizeof(float));
    float *z = (float *)calloc(n, sizeof(float));
    for (int i = 0; i < n; i++) {
        x[i] = (float)i;
        y[i] = 2.0f * i;
    }
    vector_add(z, x, y, n);
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += z[i] != 3.0f * i;
    printf("%d wrong\n", wrong);
    free(x);
    free(y);
    free(z);
    return wrong != 0;
}
