// Lesson 22, another shape: a warp turns 32 x 32 elements in its registers: in five rounds lanes exchange
// halves, quarters and so on.

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

enum { TILE = 32 };

__device__ void exchange(float *own, int apart) {
    const bool upper = (threadIdx.x & apart) != 0;
#pragma unroll
    for (int i = 0; i < TILE; i++) {
        if ((i & apart) != 0) continue;
        const float given = upper ? own[i] : own[i + apart];
        const float got = __shfl_xor_sync(0xffffffffU, given, apart);
        if (upper)
            own[i] = got;
        else
            own[i + apart] = got;
    }
}

__global__ void transpose_kernel(float *d_out, const float *d_in, int rows, int cols) {
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE, lane = threadIdx.x;
    float own[TILE];
#pragma unroll
    for (int y = 0; y < TILE; y++)
        own[y] = left + lane < cols && top + y < rows ? d_in[(size_t)(top + y) * cols + left + lane] : 0.0F;
    exchange(own, 16);
    exchange(own, 8);
    exchange(own, 4);
    exchange(own, 2);
    exchange(own, 1);
#pragma unroll
    for (int y = 0; y < TILE; y++)
        if (top + lane < rows && left + y < cols) d_out[(size_t)(left + y) * rows + top + lane] = own[y];
}

void transpose(float *d_out, const float *d_in, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    transpose_kernel<<<dim3((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE), TILE>>>(d_out, d_in, rows,
                                                                                         cols);
    CHECK(cudaGetLastError());
}
