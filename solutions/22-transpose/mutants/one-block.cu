// Lesson 22, a typical mistake: one block moves all tiles, one after the other.

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

// in has rows x cols elements, out has cols x rows. The blocks take turns at the tiles, which are numbered
// from left to right, then from top to bottom. A thread has four elements of each, HEIGHT rows apart.
__global__ void transpose_kernel(float *d_out, const float *d_in, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1]; // a row longer than needed, so that a column uses all banks
    const int across = (cols + TILE - 1) / TILE;
    const int tiles = across * ((rows + TILE - 1) / TILE);
    const int x = (int)threadIdx.x;
    for (int next = (int)blockIdx.x; next < tiles; next += (int)gridDim.x) {
        const int left = next % across * TILE;
        const int top = next / across * TILE;
        for (int y = (int)threadIdx.y; y < TILE; y += HEIGHT)
            if (top + y < rows && left + x < cols) tile[y][x] = d_in[(size_t)(top + y) * cols + left + x];
        __syncthreads(); // the tile is complete
        for (int y = (int)threadIdx.y; y < TILE; y += HEIGHT)
            if (left + y < cols && top + x < rows) d_out[(size_t)(left + y) * rows + top + x] = tile[x][y];
        __syncthreads(); // everybody has read it
    }
}

// Leaves at d_out the matrix at d_in with rows and columns exchanged. Both are on the device, row by row;
// rows and cols may be 0.
void transpose(float *d_out, const float *d_in, int rows, int cols) {
    if (rows == 0 || cols == 0) return; // a grid of 0 blocks cannot be launched
    transpose_kernel<<<1, dim3(TILE, HEIGHT)>>>(d_out, d_in, rows, cols); // expect-note: over-budget block_share
    CHECK(cudaGetLastError());
}
