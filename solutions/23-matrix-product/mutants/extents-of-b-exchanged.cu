// Lesson 23, a typical mistake: the extents of B are exchanged.

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

// 256 threads make 32 x 32 elements: each thread a column's four.
const int T = 32, EACH = 4;

struct Matrix {
    const float *data;
    int rows, cols;
    __device__ float operator()(int r, int c) const {
        return r < rows && c < cols ? data[r * cols + c] : 0.0f;
    }
};

__global__ void product(float *c, Matrix a, Matrix b) {
    __shared__ float ta[T][T + 1], tb[T][T + 1];
    const int x = threadIdx.x, y0 = threadIdx.y;
    const int row = blockIdx.y * T, col = blockIdx.x * T;
    float sums[EACH] = {};
    for (int step = 0; step < a.cols; step += T) {
        for (int y = y0; y < T; y += T / EACH) {
            ta[y][x] = a(row + y, step + x);
            tb[y][x] = b(step + y, col + x);
        }
        __syncthreads();
        for (int i = 0; i < T; i++)
#pragma unroll
            for (int e = 0; e < EACH; e++)
                sums[e] += ta[y0 + e * (T / EACH)][i] * tb[i][x];
        __syncthreads();
    }
    for (int e = 0; e < EACH; e++) {
        const int r = row + y0 + e * (T / EACH);
        if (r < a.rows && col + x < b.rows) c[r * b.rows + col + x] = sums[e]; // expect: wrong-answer
    }
}

void matrix_product(float *d_c, const float *d_a, const float *d_b, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    const dim3 blocks((n + T - 1) / T, (m + T - 1) / T), threads(T, T / EACH);
    product<<<blocks, threads>>>(d_c, Matrix{d_a, m, k}, Matrix{d_b, n, k});
    CHECK(cudaGetLastError());
}

// told: b-extents
