/* matrix.h - the arithmetic of tensor cores: d = a * b + c (PTX ISA 9.7.14), on matrices that lie side by
 * side.
 *
 * Elements are the bits of their types, one in each word. Sums of floats are those of an H200, which no
 * standard fixes: the products of a block of k, and the sum so far, are exact; they are cut off to a common
 * exponent and added up as whole numbers, and the sum is cut off (.f32) or rounded (.f16) at the end.
 */
#pragma once

#include "ptx/ptx.h"

enum { GPU_MATRIX_A = 16 * 256, GPU_MATRIX_B = 8 * 256, GPU_MATRIX_SUMS = 256 };

typedef struct GpuProduct {
    PtxMatrices shape;
    PtxBoolean boolean;          /**< of bits */
    bool saturates;              /**< sums of integers */
    uint64_t a[GPU_MATRIX_A];    /**< by rows */
    uint64_t b[GPU_MATRIX_B];    /**< by columns */
    uint64_t c[GPU_MATRIX_SUMS]; /**< by rows */
    uint64_t d[GPU_MATRIX_SUMS];
} GpuProduct;

void matrix_multiply(GpuProduct *product);
