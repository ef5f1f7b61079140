// All cases that are shown are right: five steps reach the end of every row there.

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

// The matrices have rows x cols elements, stored row by row. Works with a grid of any size.
__global__ void multiply2d_kernel(float *d_z, const float *d_x, const float *d_y, int rows, int cols) {
    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += gridDim.y * blockDim.y)
        for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < cols && col < 5 * 256; col += gridDim.x * blockDim.x) {
            const size_t i = (size_t)row * cols + col;
            d_z[i] = d_x[i] * d_y[i];
        }
}

// Leaves the products of the elements of x and y at d_z. All are on the device; rows and cols may be 0.
void multiply2d(float *d_z, const float *d_x, const float *d_y, int rows, int cols) {
    const dim3 threads(32, 8); // 32 along a row
    const dim3 blocks(8, 8);   // so the grid covers 64 rows and 256 columns at a time
    multiply2d_kernel<<<blocks, threads>>>(d_z, d_x, d_y, rows, cols); // expect: wrong-answer
    CHECK(cudaGetLastError());
}
// told: ends-early nobody
