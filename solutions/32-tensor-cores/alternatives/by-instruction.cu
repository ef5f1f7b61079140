// Lesson 32: the product of two matrices of halves on tensor cores. A block brings tiles to shared memory, as
// in lesson 23, and each of its warps multiplies a piece of them by the
// instruction itself: which lane holds which elements stands in the PTX ISA, at mma.m16n8k16.

#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
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

// A block computes TILE x TILE elements of C, a warp PIECE x PIECE of them.
enum { WARP = 32, THREADS = 128, TILE = 32, PIECE = 16 };

// Adds to sums[4] the product of 16 x 16 halves of A and 16 x 8 of B, of which this lane has eight and four.
__device__ void multiply_add(float *sums, const __half2 *a, const __half2 *b) {
    const unsigned *of_a = reinterpret_cast<const unsigned *>(a);
    const unsigned *of_b = reinterpret_cast<const unsigned *>(b);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
                 "%9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(of_a[0]), "r"(of_a[1]), "r"(of_a[2]), "r"(of_a[3]), "r"(of_b[0]), "r"(of_b[1]));
}

// An element of a matrix, and 0 outside it.
__device__ __half element_or_zero(const __half *matrix, int rows, int columns, int row, int column) {
    __half element = __float2half(0.0f);
    if (row < rows && column < columns) element = matrix[(size_t)row * columns + column];
    return element;
}

// Each block computes a tile of C (m x n), the product of A (m x k) and B (k x n).
__global__ void half_product_kernel(float *d_c, const __half *d_a, const __half *d_b, int m, int n, int k) {
    __shared__ __align__(32) __half a_tile[TILE][PIECE];
    __shared__ __align__(32) __half b_tile[PIECE][TILE];
    const int top = (int)blockIdx.y * TILE;
    const int left = (int)blockIdx.x * TILE;
    const int warp = (int)threadIdx.x / WARP; // four warps, two by two
    const int row = warp / 2 * PIECE;
    const int column = warp % 2 * PIECE;
    const int group = (int)threadIdx.x % WARP / 4; // a row of A, a column of B
    const int pair = (int)threadIdx.x % WARP % 4 * 2;
    float sums[2][4] = {}; // of the piece's columns 0 to 7, and 8 to 15
    for (int start = 0; start < k; start += PIECE) {
        for (int i = (int)threadIdx.x; i < TILE * PIECE; i += THREADS) {
            const int y = i / PIECE, x = i % PIECE;
            a_tile[y][x] = element_or_zero(d_a, m, k, top + y, start + x);
            b_tile[i / TILE][i % TILE] = element_or_zero(d_b, k, n, start + i / TILE, left + i % TILE);
        }
        __syncthreads(); // both tiles are complete
        __half2 a[4], b[2];
        for (int i = 0; i < 4; i++) {
            const __half *at = &a_tile[row + group + i % 2 * 8][pair + i / 2 * 8];
            a[i] = __halves2half2(at[0], at[1]);
        }
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 2; i++) {
                const int at = column + side * 8 + group;
                b[i] = __halves2half2(b_tile[pair + i * 8][at], b_tile[pair + i * 8 + 1][at]);
            }
            multiply_add(sums[side], a, b);
        }
        __syncthreads(); // all warps have read them
    }
    __shared__ __align__(32) float c_tile[TILE][TILE];
    for (int i = 0; i < 8; i++)
        c_tile[row + group + i % 4 / 2 * 8][column + i / 4 * 8 + pair + i % 2] = sums[i / 4][i % 4];
    __syncthreads();
    for (int i = (int)threadIdx.x; i < TILE * TILE; i += THREADS) {
        const int y = top + i / TILE, x = left + i % TILE;
        if (y < m && x < n) d_c[(size_t)y * n + x] = c_tile[i / TILE][i % TILE];
    }
}

// Leaves A B at d_c, which is m x n: the products of halves, added up in floats. A is m x k and B is k x n;
// all three are on the device, row by row; m, n and k may be 0.
void half_product(float *d_c, const __half *d_a, const __half *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return; // no element, and a grid of 0 blocks cannot be launched
    const dim3 blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    half_product_kernel<<<blocks, THREADS>>>(d_c, d_a, d_b, m, n, k);
    CHECK(cudaGetLastError());
}
