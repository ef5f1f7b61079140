// Lesson 02, a typical mistake: each thread doubles a whole row, and the threads of a warp are a row apart.

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
enum { MOST_BLOCKS = 65535 }; // of a grid along y and along z. Along x it is two thousand million

// The field has nx x ny x nz elements, and x runs fastest: (x, y, z) is element (z * ny + y) * nx + x.
__global__ void scale3d_kernel(float *d_f, const float *d_g, int nx, int ny, int nz) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    for (int z = blockIdx.z; z < nz && y < ny; z += gridDim.z)
        for (int x = 0; x < nx; x++) {
            const size_t i = ((size_t)z * ny + y) * nx + x;
            d_f[i] = 2.0F * d_g[i];
        }
}

// Leaves 2 g at d_f. Both are on the device, and any of the three extents may be 0.
void scale3d(float *d_f, const float *d_g, int nx, int ny, int nz) {
    const int threads = 128;                   // of a block
    if (nx == 0 || ny == 0 || nz == 0) return; // a grid of 0 blocks cannot be launched
    const dim3 blocks((ny + threads - 1) / threads, 1, nz < MOST_BLOCKS ? nz : MOST_BLOCKS);
    scale3d_kernel<<<blocks, threads>>>(d_f, d_g, nx, ny, nz); // expect-note: over-budget global_sectors
    CHECK(cudaGetLastError());
}
