// Lesson 21, a typical mistake: the cell above is left out of the sum.

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
    __shared__ float tile[HEIGHT + 2][WIDTH + 2];
    const int x = (int)blockIdx.x * WIDTH + (int)threadIdx.x;
    const int y = (int)blockIdx.y * HEIGHT + (int)threadIdx.y;
    const int tx = (int)threadIdx.x + 1; // the border comes first
    const int ty = (int)threadIdx.y + 1;
    const bool exists = x < nx && y < ny;
    const bool inner = x > 0 && x + 1 < nx && y > 0 && y + 1 < ny;
    const size_t plane = (size_t)nx * ny;
    size_t i = (size_t)y * nx + x;
    float below = 0.0F;
    float here = exists ? d_in[i] : 0.0F;
    for (int z = 0; z < nz; z++) {
        const float above = exists && z + 1 < nz ? d_in[i + plane] : 0.0F;
        tile[ty][tx] = here;
        if (inner && tx == 1) tile[ty][0] = d_in[i - 1];
        if (inner && tx == WIDTH) tile[ty][WIDTH + 1] = d_in[i + 1];
        if (inner && ty == 1) tile[0][tx] = d_in[i - nx];
        if (inner && ty == HEIGHT) tile[HEIGHT + 1][tx] = d_in[i + nx];
        __syncthreads(); // the tile is complete
        float result = here;
        if (inner && z > 0 && z + 1 < nz) {
            const float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
            result = (here + below + around) / 7.0F;
        }
        if (exists) d_out[i] = result; // expect: wrong-answer
        __syncthreads();               // everybody has read it
        below = here;
        here = above;
        i += plane;
    }
}

// Leaves at d_out the means of the field at d_in, both on the device; x runs fastest. Extents may be 0.
void stencil7(float *d_out, const float *d_in, int nx, int ny, int nz) {
    if (nx == 0 || ny == 0 || nz == 0) return; // a grid of 0 blocks cannot be launched
    const dim3 threads(WIDTH, HEIGHT);
    const dim3 blocks((nx + WIDTH - 1) / WIDTH, (ny + HEIGHT - 1) / HEIGHT);
    stencil7_kernel<<<blocks, threads>>>(d_out, d_in, nx, ny, nz);
    CHECK(cudaGetLastError());
}
// told: neighbour-lost
