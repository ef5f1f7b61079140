/* approximate.h - the fast operations of a card that give other values than the accurate ones.
 *
 * A card has a reciprocal, a logarithm and a power of two that flush subnormal results, and makes the rest of
 * them (PTX ISA 9.7.3.8; the scalings are those in ptxas' machine code). What is only less accurate there is
 * accurate here: a reciprocal is the nearest one.
 */
#pragma once

#include <math.h>

#define APPROXIMATE_LEAST 0x1p-126F /**< the smallest normal number */

static inline float approximate_flush(float value) {
    if (fabsf(value) < APPROXIMATE_LEAST) return copysignf(0, value);
    return value;
}

/** The reciprocal as the card has it: 0 from 2^126 on upwards. */
static inline float approximate_rcp(float x) {
    return approximate_flush(1 / x);
}

/** div.approx.f32, __fdividef: with 2^126 < |y| < 2^128 0, or NaN for an infinite x. */
static inline float approximate_div(float x, float y) {
    float scale = 1.0F;
    if (fabsf(y) < APPROXIMATE_LEAST) scale = 0x1p24F;
    return x * scale * approximate_rcp(y * scale);
}

/** div.full.f32: in the whole range. */
static inline float approximate_div_full(float x, float y) {
    float small = 1.0F;
    if (fabsf(y) < APPROXIMATE_LEAST) small = 0x1p24F;
    float scale = fabsf(y) > 0x1p126F ? 0.25F : small;
    return x * scale * approximate_rcp(y * scale);
}

/** ex2.approx.f32: below 2^-126 the square of the power of half of x. */
static inline float approximate_ex2(float x) {
    float half = exp2f(x < -126.0F ? 0.5F * x : x);
    if (x < -126.0F) return half * half;
    return half;
}

/** An angle in turns, as a card takes it: times 1 / 2 pi in single precision, rounded towards zero, and
 * without whole turns. So an angle of many turns keeps few of its digits. */
static inline double approximate_turns(float x) {
    const double exact = (double)x * (double)0.15915494F;
    float turns = (float)exact;
    if (fabs((double)turns) > fabs(exact)) turns = nextafterf(turns, 0);
    turns = approximate_flush(turns);
    return (double)turns - rint((double)turns);
}

/** Whole turns leave a zero with the sign of x, half a turn one with the other sign. */
static inline float approximate_sin(float x) {
    const double turns = approximate_turns(x);
    if (turns == 0) return copysignf(0, x);
    if (fabs(turns) == 0.5) return copysignf(0, (float)-turns);
    return (float)sin(2 * M_PI * turns);
}

static inline float approximate_cos(float x) {
    const double turns = approximate_turns(x);
    if (fabs(turns) == 0.25) return 0;
    return (float)cos(2 * M_PI * turns);
}

/** __powf: NaN for a negative base, and where 0 and infinity meet. */
static inline float approximate_pow(float x, float y) {
    return approximate_ex2(y * log2f(x));
}
