// Lesson 02, another way: a field of doubled numbers needs no coordinates. The threads are numbered along
// one dimension, as in lesson 01.

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
// The field has nx x ny x nz elements, and x runs fastest: (x, y, z) is element (z * ny + y) * nx + x.
__global__ void scale3d_kernel(float *d_f, const float *d_g, int nx, int ny, int nz) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (size_t)nx * ny * nz) d_f[i] = 2.0F * d_g[i];
}

// Leaves 2 g at d_f. Both are on the device, and any of the three extents may be 0.
void scale3d(float *d_f, const float *d_g, int nx, int ny, int nz) {
    const int threads = 128;                   // of a block
    if (nx == 0 || ny == 0 || nz == 0) return; // a grid of 0 blocks cannot be launched
    const size_t blocks = ((size_t)nx * ny * nz + threads - 1) / threads;
    scale3d_kernel<<<(unsigned)blocks, threads>>>(d_f, d_g, nx, ny, nz);
    CHECK(cudaGetLastError());
}
