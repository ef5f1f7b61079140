// Lesson 22, a typical mistake: the tiles change places, and none is transposed itself.

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
enum { TILE = 32, HEIGHT = 8 }; // a block of 32 x 8 threads moves a tile of 32 x 32 elements

// in has rows x cols elements, out has cols x rows. Each block has one tile, numbered from left to right,
// then from top to bottom. A thread has four of its elements, HEIGHT rows apart.
__global__ void transpose_kernel(float *d_out, const float *d_in, int rows, int cols) {
    const int across = (cols + TILE - 1) / TILE;      // tiles side by side
    const int left = (int)blockIdx.x % across * TILE; // the tile's first column of in
    const int top = (int)blockIdx.x / across * TILE;  // and its first row
    const int x = (int)threadIdx.x;
    __shared__ float tile[TILE][TILE + 1]; // a row longer than needed, so that a column uses all banks
    for (int y = (int)threadIdx.y; y < TILE; y += HEIGHT)
        if (top + y < rows && left + x < cols) tile[y][x] = d_in[(size_t)(top + y) * cols + left + x];
    __syncthreads(); // the tile is complete
    for (int y = (int)threadIdx.y; y < TILE; y += HEIGHT)
        if (left + y < cols && top + x < rows)
            d_out[(size_t)(left + y) * rows + top + x] = tile[y][x]; // expect: wrong-answer
}

// Leaves at d_out the matrix at d_in with rows and columns exchanged. Both are on the device, row by row;
// rows and cols may be 0.
void transpose(float *d_out, const float *d_in, int rows, int cols) {
    if (rows == 0 || cols == 0) return; // a grid of 0 blocks cannot be launched
    const int across = (cols + TILE - 1) / TILE;
    const int down = (rows + TILE - 1) / TILE;
    transpose_kernel<<<across * down, dim3(TILE, HEIGHT)>>>(d_out, d_in, rows, cols);
    CHECK(cudaGetLastError());
}
// told: tiles-moved
