// Lesson 32: the product of two matrices of halves on tensor cores. A block brings tiles to shared memory, as
// in lesson 23, and each of its warps multiplies a piece of them at once.

#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

// Every runtime call returns a status: CHECK stops the program when a call failed, and says where.
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t status_ = (call);                                                                        \
        if (status_ != cudaSuccess) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));                 \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

using namespace nvcuda;

// A block computes TILE x TILE elements of C, a warp PIECE x PIECE of them.
enum { WARP = 32, THREADS = 128, TILE = 32, PIECE = 16 };

// A warp's pieces: PIECE x PIECE halves of A and of B, both row by row, and as many sums, which are floats.
typedef wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, __half, wmma::row_major> PieceOfA;
typedef wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, __half, wmma::row_major> PieceOfB;
typedef wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float> Sums;

// An element of a matrix.
__device__ __half element(const __half *matrix, int columns, int row, int column) {
    return matrix[(size_t)row * columns + column];
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
    Sums sums;
    wmma::fill_fragment(sums, 0.0f);
    for (int start = 0; start < k; start += PIECE) {
        for (int i = (int)threadIdx.x; i < TILE * PIECE; i += THREADS) {
            const int y = i / PIECE, x = i % PIECE;
            if (top + y < m && start + x < k) a_tile[y][x] = element(d_a, k, top + y, start + x);
            if (start + i / TILE < k && left + i % TILE < n)
                b_tile[i / TILE][i % TILE] = element(d_b, n, start + i / TILE, left + i % TILE);
        }
        __syncthreads(); // both tiles are complete
        PieceOfA a;
        PieceOfB b;
        wmma::load_matrix_sync(a, &a_tile[row][0], PIECE);
        wmma::load_matrix_sync(b, &b_tile[0][column], TILE); // expect: uninitialized-read
        wmma::mma_sync(sums, a, b, sums);
        __syncthreads(); // all warps have read them
    }
    __shared__ __align__(32) float c_tile[TILE][TILE];
    wmma::store_matrix_sync(&c_tile[row][column], sums, TILE, wmma::mem_row_major);
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
