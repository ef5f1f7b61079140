/* plain.h - the work of each kernel of shapes.def in plain C, on one core. */
#pragma once

#include "bench/shape.h"

enum { PLAIN_BLOCK = 256 }; /**< threads of a block, in kernels of one dimension */

/** Does the work of the shape's whole launch. Both buffers have SHAPE_BYTES. */
void plain_run(const Shape *shape, void *out, const void *in);
/** True when `got` is what the work makes of `in` and of shape_fill's values in out: to the bit, but for
 * floats that are added up or multiplied, which compilers may round in their own ways. */
bool plain_verify(const Shape *shape, const void *got, const void *in);

/** The work of product, by the tiles that the kernel has. */
void plain_product_by_tiles(void *out, const void *in);

/* Those of kernels.cu, of any size: work.c does them too. */
void plain_add_vectors(float *z, const float *x, const float *y, size_t n);
void plain_sum_blocks(float *sums, const float *x, size_t blocks);
void plain_compute(float *y, const float *x, size_t n, int steps);
