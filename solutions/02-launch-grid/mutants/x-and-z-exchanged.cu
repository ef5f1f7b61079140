// Lesson 02, a typical mistake: threadIdx.x counts planes, and threadIdx.z the elements of a row.

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
    const int x = blockIdx.z * blockDim.z + threadIdx.z;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < nx && y < ny && z < nz) {
        const size_t i = ((size_t)z * ny + y) * nx + x;
        d_f[i] = 2.0F * d_g[i];
    }
}

// Leaves 2 g at d_f. Both are on the device, and any of the three extents may be 0.
void scale3d(float *d_f, const float *d_g, int nx, int ny, int nz) {
    const dim3 threads(32, 4, 2);              // of a block: 256
    if (nx == 0 || ny == 0 || nz == 0) return; // a grid of 0 blocks cannot be launched
    const dim3 blocks((nz + threads.x - 1) / threads.x, (ny + threads.y - 1) / threads.y,
                      (nx + threads.z - 1) / threads.z);
    scale3d_kernel<<<blocks, threads>>>(d_f, d_g, nx, ny, nz); // expect-note: over-budget global_sectors
    CHECK(cudaGetLastError());
}
