/* What the mistakes with matrices of a warp share: fragments of 16 x 16 x 16, and a kernel's input. */
#pragma once
#include "mistake.h"
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;
typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> Left;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> Right;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sums;

enum { ELEMENTS = 256 };

static half *device_halves(int n) {
    std::vector<half> h(n);
    for (int i = 0; i < n; i++)
        h[i] = __float2half(1 + i % 5);
    half *d = nullptr;
    CHECK(cudaMalloc(&d, n * sizeof(half)));
    CHECK(cudaMemcpy(d, h.data(), n * sizeof(half), cudaMemcpyHostToDevice));
    return d;
}
