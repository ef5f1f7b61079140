// Right: the inputs travel as a kernel's parameters, some at a time.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

constexpr int PART = 448; // of each input; all parameters of a launch are at most 4 KiB

struct Inputs {
    float x[PART], y[PART];
};

static void stop_on(cudaError_t status) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s\n", cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

__global__ void vector_add_kernel(float *z, Inputs in, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) z[i] = in.x[i] + in.y[i];
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (n == 0) return;
    float *d_z = NULL;
    stop_on(cudaMalloc(&d_z, n * sizeof(float)));
    for (int first = 0; first < n; first += PART) {
        const int count = n - first < PART ? n - first : PART;
        Inputs in = {};
        memcpy(in.x, h_x + first, count * sizeof(float));
        memcpy(in.y, h_y + first, count * sizeof(float));
        vector_add_kernel<<<(count + 63) / 64, 64>>>(d_z + first, in, count);
        stop_on(cudaGetLastError());
    }
    stop_on(cudaMemcpy(h_z, d_z, n * sizeof(float), cudaMemcpyDeviceToHost));
    stop_on(cudaFree(d_z));
}
