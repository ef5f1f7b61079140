// Lesson 21: the mean of a cell and its six neighbours. A block walks up the field with one tile of a plane,
// and the cells below and above wait in registers.

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
enum { WIDTH = 32, HEIGHT = 16 }; // a block's tile of a plane, one cell per thread

// Each thread has one column of cells, (x, y, 0) to (x, y, nz - 1).
__global__ void stencil7_kernel(float *d_out, const float *d_in, int nx, int ny, int nz) {
    // Your turn: walk up from plane to plane. In each, the block brings its tile with a border of one cell to
    // shared memory; the cell of the plane below and that of the plane above are in registers. Cells at
    // the edge are copied
}

// Leaves at d_out the means of the field at d_in, both on the device; x runs fastest. Extents may be 0.
void stencil7(float *d_out, const float *d_in, int nx, int ny, int nz) {
    if (nx == 0 || ny == 0 || nz == 0) return; // a grid of 0 blocks cannot be launched
    const dim3 threads(WIDTH, HEIGHT);
    const dim3 blocks((nx + WIDTH - 1) / WIDTH, (ny + HEIGHT - 1) / HEIGHT);
    stencil7_kernel<<<blocks, threads>>>(d_out, d_in, nx, ny, nz);
    CHECK(cudaGetLastError());
}
