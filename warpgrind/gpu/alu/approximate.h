/* approximate.h - the fast operations of a card that give other values than the accurate ones.
 *
 * A card has a reciprocal, a logarithm and a power of two that flush subnormal results, and makes the rest of
 * them (PTX ISA 9.7.3.8; the scalings are those in ptxas' machine code). What is only less accurate there is
 * accurate here: a reciprocal is the nearest one.
 */
#ifndef GPU_ALU_APPROXIMATE_H
#define GPU_ALU_APPROXIMATE_H

#include <math.h>

#define APPROXIMATE_LEAST 0x1p-126F /**< the smallest normal number */

static inline float approximate_flush(float value) {
    return fabsf(value) < APPROXIMATE_LEAST ? copysignf(0, value) : value;
}

/** The reciprocal as the card has it: 0 from 2^126 on upwards. */
static inline float approximate_rcp(float x) {
    return approximate_flush(1 / x);
}

/** div.approx.f32, __fdividef: with 2^126 < |y| < 2^128 0, or NaN for an infinite x. */
static inline float approximate_div(float x, float y) {
    float scale = fabsf(y) < APPROXIMATE_LEAST ? 0x1p24F : 1.0F;
    return x * scale * approximate_rcp(y * scale);
}

/** div.full.f32: in the whole range. */
static inline float approximate_div_full(float x, float y) {
    float small = fabsf(y) < APPROXIMATE_LEAST ? 0x1p24F : 1.0F;
    float scale = fabsf(y) > 0x1p126F ? 0.25F : small;
    return x * scale * approximate_rcp(y * scale);
}

/** ex2.approx.f32: below 2^-126 the square of the power of half of x. */
static inline float approximate_ex2(float x) {
    float half = exp2f(x < -126.0F ? 0.5F * x : x);
    return x < -126.0F ? half * half : half;
}

/** __powf: NaN for a negative base, and where 0 and infinity meet. */
static inline float approximate_pow(float x, float y) {
    return approximate_ex2(y * log2f(x));
}

#endif
