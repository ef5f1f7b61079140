// Lesson 32: the product of two matrices of halves on tensor cores. Copies of A and B in whole pieces, filled
// up with zeros, need no tiles: each warp loads its fragments from global memory.

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

enum { WARP = 32, THREADS = 256, PIECE = 16 };

typedef wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, __half, wmma::row_major> PieceOfA;
typedef wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, __half, wmma::row_major> PieceOfB;
typedef wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float> Sums;

// Copies a matrix to one with `wide` columns, and as many rows as the grid has; what is new is 0.
__global__ void pad(__half *to, const __half *from, int rows, int columns, int wide) {
    const int row = (int)blockIdx.y;
    const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (column >= wide) return;
    __half element = __float2half(0.0f);
    if (row < rows && column < columns) element = from[(size_t)row * columns + column];
    to[(size_t)row * wide + column] = element;
}

// Copies the part of a padded C that exists.
__global__ void cut(float *to, const float *from, int columns, int wide) {
    const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (column < columns)
        to[(size_t)blockIdx.y * columns + column] = from[(size_t)blockIdx.y * wide + column];
}

// A warp has a piece of C; all sizes are multiples of a piece.
__global__ void multiply(float *c, const __half *a, const __half *b, int n, int k) {
    const int row = (int)blockIdx.y * PIECE, column = (int)blockIdx.x * PIECE;
    Sums sums;
    wmma::fill_fragment(sums, 0.0f);
    for (int start = 0; start < k; start += PIECE) {
        PieceOfA of_a;
        PieceOfB of_b;
        wmma::load_matrix_sync(of_a, a + (size_t)row * k + start, k);
        wmma::load_matrix_sync(of_b, b + (size_t)start * n + column, n);
        wmma::mma_sync(sums, of_a, of_b, sums);
    }
    wmma::store_matrix_sync(c + (size_t)row * n + column, sums, n, wmma::mem_row_major);
}

static int whole_pieces(int count) {
    return (count + PIECE - 1) / PIECE * PIECE;
}

// Leaves A B at d_c, which is m x n: the products of halves, added up in floats. A is m x k and B is k x n;
// all three are on the device, row by row; m, n and k may be 0.
void half_product(float *d_c, const __half *d_a, const __half *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return; // no element, and a grid of 0 blocks cannot be launched
    const int rows = whole_pieces(m), wide = whole_pieces(n), inner = whole_pieces(k);
    const int across = (wide + THREADS - 1) / THREADS, along = (inner + THREADS - 1) / THREADS;
    __half *a = nullptr, *b = nullptr;
    float *c = nullptr;
    CHECK(cudaMallocAsync(&c, (size_t)rows * wide * sizeof(float), 0));
    if (k > 0) {
        CHECK(cudaMallocAsync(&a, (size_t)rows * inner * sizeof(__half), 0));
        CHECK(cudaMallocAsync(&b, (size_t)inner * wide * sizeof(__half), 0));
        pad<<<dim3(along, rows), THREADS>>>(a, d_a, m, k, inner);
        CHECK(cudaGetLastError());
        pad<<<dim3(across, inner), THREADS>>>(b, d_b, k, n, wide);
        CHECK(cudaGetLastError());
    }
    multiply<<<dim3(wide / PIECE, rows / PIECE), WARP>>>(c, a, b, wide, inner);
    CHECK(cudaGetLastError());
    cut<<<dim3(across, m), THREADS>>>(d_c, c, n, wide);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(c, 0));
    if (k > 0) {
        CHECK(cudaFreeAsync(a, 0));
        CHECK(cudaFreeAsync(b, 0));
    }
}
