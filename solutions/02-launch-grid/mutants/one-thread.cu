// Lesson 02, a typical mistake: a single thread walks through the field.

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
    for (size_t i = 0; i < (size_t)nx * ny * nz; i++)
        d_f[i] = 2.0F * d_g[i];
}

// Leaves 2 g at d_f. Both are on the device, and any of the three extents may be 0.
void scale3d(float *d_f, const float *d_g, int nx, int ny, int nz) {
    if (nx == 0 || ny == 0 || nz == 0) return;      // a grid of 0 blocks cannot be launched
    scale3d_kernel<<<1, 1>>>(d_f, d_g, nx, ny, nz); // expect-note: over-budget block_share global_sectors
    CHECK(cudaGetLastError());
}
