// Wrong: subtracts, in managed memory, whose answer no copy brings.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static void stop_on(cudaError_t status, int line) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

__global__ void vector_add_kernel(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    z[i] = x[i] - y[i];
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    size_t count = (size_t)n;
    float *m = NULL; // x, y and z one after the other
    stop_on(cudaMallocManaged(&m, 3 * count * sizeof(float)), __LINE__);
    memcpy(m, h_x, count * sizeof(float));
    memcpy(m + count, h_y, count * sizeof(float));
    vector_add_kernel<<<(n + 191) / 192, 192>>>(m + 2 * count, m, m + count, n); // expect: wrong-answer
    stop_on(cudaGetLastError(), __LINE__);
    stop_on(cudaDeviceSynchronize(), __LINE__);
    memcpy(h_z, m + 2 * count, count * sizeof(float));
    stop_on(cudaFree(m), __LINE__);
}
// told: unknown
