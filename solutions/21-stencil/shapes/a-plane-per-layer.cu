// Lesson 21, another shape: no loop over the planes: each block has a tile of one plane, and reads the cells
// above and below as well.

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

enum { WIDTH = 32, HEIGHT = 16 };

__device__ float cell(const float *d_in, bool exists, size_t i) {
    return exists ? d_in[i] : 0.0F;
}

__global__ void stencil7_kernel(float *d_out, const float *d_in, int nx, int ny, int nz) {
    __shared__ float tile[HEIGHT + 2][WIDTH + 2];
    const int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y, z = blockIdx.z;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const size_t plane = (size_t)nx * ny, i = plane * z + (size_t)y * nx + x;
    const bool exists = x < nx && y < ny;
    tile[ty][tx] = cell(d_in, exists, i);
    if (tx == 1) tile[ty][0] = cell(d_in, exists && x > 0, i - 1);
    if (tx == WIDTH) tile[ty][WIDTH + 1] = cell(d_in, exists && x + 1 < nx, i + 1);
    if (ty == 1) tile[0][tx] = cell(d_in, exists && y > 0, i - nx);
    if (ty == HEIGHT) tile[HEIGHT + 1][tx] = cell(d_in, exists && y + 1 < ny, i + nx);
    __syncthreads();
    if (!exists) return;
    float result = tile[ty][tx];
    if (x > 0 && x + 1 < nx && y > 0 && y + 1 < ny && z > 0 && z + 1 < nz) {
        result += d_in[i - plane] + d_in[i + plane];
        result += tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
        result /= 7.0F;
    }
    d_out[i] = result;
}

void stencil7(float *d_out, const float *d_in, int nx, int ny, int nz) {
    if (nx == 0 || ny == 0 || nz == 0) return;
    const dim3 blocks((nx + WIDTH - 1) / WIDTH, (ny + HEIGHT - 1) / HEIGHT, nz), threads(WIDTH, HEIGHT);
    stencil7_kernel<<<blocks, threads>>>(d_out, d_in, nx, ny, nz); // expect-note: over-budget global_reads
    CHECK(cudaGetLastError());
}
