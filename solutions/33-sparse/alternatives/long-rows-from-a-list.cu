// Lesson 33: a sparse matrix times a vector. Each warp has a row
// when it is short; the pieces of long rows go into a list, which a second kernel works off.

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

// PIECE: the numbers of a long row that a warp has at a time.
enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, PIECE = 512 };

// A piece of a row: its numbers from begin to end - 1.
struct Piece {
    int row, begin, end;
};

// What the warp's lanes make of the numbers from begin to end - 1 together, in lane 0.
__device__ float multiplied(const int *columns, const float *values, const float *x, int begin, int end) {
    float sum = 0.0f;
    for (int i = begin + (int)threadIdx.x % WARP; i < end; i += WARP)
        sum += values[i] * x[columns[i]];
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffffU, sum, apart);
    return sum;
}

// Each warp has a row. A long one it cuts into pieces, which its lanes put into the list.
__global__ void rows_kernel(float *d_y, Piece *pieces, int *listed, const int *row_starts, const int *columns,
                            const float *values, const float *x, int rows) {
    const int lane = (int)threadIdx.x % WARP;
    const int row = (int)blockIdx.x * WARPS + (int)threadIdx.x / WARP;
    if (row >= rows) return; // a whole warp leaves
    const int begin = row_starts[row], end = row_starts[row + 1];
    if (end - begin <= PIECE) {
        const float sum = multiplied(columns, values, x, begin, end);
        if (lane == 0) d_y[row] = sum;
        return;
    }
    if (lane == 0) d_y[row] = 0.0f; // the next kernel adds to it
    for (int first = begin + lane * PIECE; first < end; first += WARP * PIECE)
        pieces[atomicAdd(listed, 1)] = {row, first, min(first + PIECE, end)};
}

// Each warp has a piece of the list, or none.
__global__ void pieces_kernel(float *d_y, const Piece *pieces, const int *listed, const int *columns,
                              const float *values, const float *x) {
    const int place = (int)blockIdx.x * WARPS + (int)threadIdx.x / WARP;
    if (place >= *listed) return; // a whole warp leaves
    const Piece piece = pieces[place];
    const float sum = multiplied(columns, values, x, piece.begin, piece.end);
    if (threadIdx.x % WARP == 0) atomicAdd(&d_y[piece.row], sum);
}

// Leaves in d_y the product of a matrix of `rows` rows and the vector d_x. Row r has the numbers d_values[i]
// in the columns d_columns[i], where i is d_row_starts[r] or more and less than d_row_starts[r + 1]. There
// are `count` numbers in all; rows and count may be 0. All arrays are on the device.
void sparse_multiply(float *d_y, const int *d_row_starts, const int *d_columns, const float *d_values,
                     const float *d_x, int rows, int count) {
    if (rows == 0) return; // a grid of 0 blocks cannot be launched
    // A row that is cut has more than PIECE numbers, so at most two pieces come on PIECE numbers.
    const int most = 2 * (count / PIECE) + 1;
    Piece *pieces = NULL;
    int *listed = NULL;
    CHECK(cudaMallocAsync(&pieces, (size_t)most * sizeof *pieces, 0));
    CHECK(cudaMallocAsync(&listed, sizeof *listed, 0));
    CHECK(cudaMemsetAsync(listed, 0, sizeof *listed));
    rows_kernel<<<(rows + WARPS - 1) / WARPS, THREADS>>>(d_y, pieces, listed, d_row_starts, d_columns,
                                                         d_values, d_x, rows);
    CHECK(cudaGetLastError());
    pieces_kernel<<<(most + WARPS - 1) / WARPS, THREADS>>>(d_y, pieces, listed, d_columns, d_values, d_x);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(pieces, 0));
    CHECK(cudaFreeAsync(listed, 0));
}
