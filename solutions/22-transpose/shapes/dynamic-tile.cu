// Lesson 22, another shape: a tile of 64 x 32 in dynamic shared memory, by cooperative groups.

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
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

namespace cg = cooperative_groups;
enum { WIDTH = 64, HEIGHT = 32, PITCH = WIDTH + 1, THREADS = 256 };

__device__ float &cell(float *tile, int row, int column) {
    return tile[row * PITCH + column];
}

__global__ void transpose_kernel(float *d_out, const float *d_in, int rows, int cols) {
    extern __shared__ float tile[];
    const cg::thread_block block = cg::this_thread_block();
    const int left = blockIdx.x * WIDTH, top = blockIdx.y * HEIGHT;
    for (int i = (int)block.thread_rank(); i < WIDTH * HEIGHT; i += (int)block.size()) {
        const int x = i % WIDTH, y = i / WIDTH;
        if (left + x < cols && top + y < rows) cell(tile, y, x) = d_in[(size_t)(top + y) * cols + left + x];
    }
    block.sync();
    for (int i = (int)block.thread_rank(); i < WIDTH * HEIGHT; i += (int)block.size()) {
        const int x = i % HEIGHT, y = i / HEIGHT;
        if (top + x < rows && left + y < cols) d_out[(size_t)(left + y) * rows + top + x] = cell(tile, x, y);
    }
}

void transpose(float *d_out, const float *d_in, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 blocks((cols + WIDTH - 1) / WIDTH, (rows + HEIGHT - 1) / HEIGHT);
    transpose_kernel<<<blocks, THREADS, PITCH * HEIGHT * sizeof(float)>>>(d_out, d_in, rows, cols);
    CHECK(cudaGetLastError());
}
