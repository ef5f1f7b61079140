// Lesson 02, a typical mistake: each number is multiplied by itself.
// told: squared

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
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= nx) return;
    for (int z = blockIdx.z * blockDim.z + threadIdx.z; z < nz; z += gridDim.z * blockDim.z)
        for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ny; y += gridDim.y * blockDim.y) {
            const size_t i = ((size_t)z * ny + y) * nx + x;
            d_f[i] = d_g[i] * d_g[i]; // expect: wrong-answer
        }
}

// Leaves 2 g at d_f. Both are on the device, and any of the three extents may be 0.
void scale3d(float *d_f, const float *d_g, int nx, int ny, int nz) {
    const dim3 threads(32, 2, 2); // of a block: 128
    if (nx == 0 || ny == 0 || nz == 0) return; // a grid of 0 blocks cannot be launched
    const int down = (ny + threads.y - 1) / threads.y;
    const int deep = (nz + threads.z - 1) / threads.z;
    const dim3 blocks((nx + threads.x - 1) / threads.x, down < MOST_BLOCKS ? down : MOST_BLOCKS,
                      deep < MOST_BLOCKS ? deep : MOST_BLOCKS);
    scale3d_kernel<<<blocks, threads>>>(d_f, d_g, nx, ny, nz);
    CHECK(cudaGetLastError());
}
