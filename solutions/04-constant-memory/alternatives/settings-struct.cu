// Another way: everything that is the same for all threads travels in one constant structure, and the threads
// stride.

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

struct Settings {
    float b;
    int n;
};
__constant__ Settings c_settings;

__global__ void multiply_add_kernel(float *d_y, const float *d_x1, const float *d_x2) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < c_settings.n; i += stride)
        d_y[i] = fmaf(d_x1[i], d_x2[i], c_settings.b);
}

// d_y, d_x1 and d_x2 are device arrays of n floats, n >= 0; b may differ from call to call.
void multiply_add(float *d_y, const float *d_x1, const float *d_x2, int n, float b) {
    Settings settings = {b, n};
    CHECK(cudaMemcpyToSymbol(c_settings, &settings, sizeof settings));
    const int threads = 256;
    const int blocks = 8;
    multiply_add_kernel<<<blocks, threads>>>(d_y, d_x1, d_x2);
    CHECK(cudaGetLastError());
}
