/* matrix.c - products of matrices, element by element: whole numbers, bits, doubles, and small floats. */
#include "base/minmax.h"
#include "gpu/alu/half.h"
#include "gpu/alu/matrix.h"
#include "gpu/alu/nan.h"

#include <math.h>
#include <string.h>

/* ---- floats of up to 32 bits ---- */

typedef struct FloatFormat {
    int fraction, exponent_bits;
    bool infinite; /**< whether it has infinities; if not, only all ones are no number */
} FloatFormat;

/** How the bits of a factor's type are divided; whole f32 where no narrower type is named. E4M3 has no
 * infinities: all its exponents are numbers, but for one NaN. */
static const FloatFormat formats[PTX_TYPE_COUNT] = {
    [PTX_F16] = {10, 5, true},  [PTX_BF16] = {7, 8, true}, [PTX_TF32] = {10, 8, true},
    [PTX_E4M3] = {3, 4, false}, [PTX_E5M2] = {2, 5, true}, [PTX_F32] = {23, 8, true},
};

typedef enum NumberKind { NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN } NumberKind;

/** significand * 2^(exponent - fraction); the significand is negative with the number. */
typedef struct Number {
    int32_t significand;
    int16_t exponent;
    uint8_t kind;
} Number;

/** Takes a float apart into significand and exponent, so that products are exact as whole numbers: a
 * subnormal has the smallest exponent and no hidden bit. */
static Number number_of(uint64_t bits, FloatFormat format) {
    int bias = (1 << (format.exponent_bits - 1)) - 1, top = (1 << format.exponent_bits) - 1;
    uint32_t hidden = UINT32_C(1) << format.fraction;
    int exponent = (int)(bits >> format.fraction) & top;
    uint32_t fraction = (uint32_t)bits & (hidden - 1);
    bool negative = bits >> (format.fraction + format.exponent_bits) & 1;
    Number number = {.exponent = (int16_t)(MAX(exponent, 1) - bias)};
    if (exponent == top && format.infinite)
        number.kind = fraction ? NUMBER_NAN : NUMBER_INFINITE;
    else if (exponent == top && fraction == hidden - 1)
        number.kind = NUMBER_NAN;
    if (exponent) fraction |= hidden;
    number.significand = (int32_t)fraction;
    if (number.kind == NUMBER_INFINITE) number.significand = 1;
    if (negative) number.significand = -number.significand;
    return number;
}

static void numbers_of(const uint64_t *bits, unsigned count, PtxType type, Number *numbers) {
    FloatFormat format = formats[type];
    for (unsigned i = 0; i < count; i++) /* of .tf32 the lower 13 bits do not count */
        numbers[i] = number_of(type == PTX_TF32 ? (uint32_t)bits[i] >> 13 : bits[i], format);
}

/** What infinities and NaNs make of the sum: they need no digits. False when there are none. */
static bool sum_is_special(const Number *a, const Number *b, unsigned count, Number sum, double *value) {
    bool special = sum.kind != NUMBER_FINITE;
    for (unsigned i = 0; i < count; i++)
        special |= a[i].kind != NUMBER_FINITE || b[i].kind != NUMBER_FINITE;
    if (!special) return false;
    double total = 0;
    for (unsigned i = 0; i <= count; i++) {
        Number x = sum;
        if (i < count) x = a[i];
        Number y = i < count ? b[i] : (Number){.significand = 1};
        bool infinite = x.kind == NUMBER_INFINITE || y.kind == NUMBER_INFINITE;
        double sign = (x.significand > 0) - (x.significand < 0);
        sign *= (y.significand > 0) - (y.significand < 0);
        if (x.kind == NUMBER_NAN || y.kind == NUMBER_NAN)
            total += (double)NAN;
        else if (infinite)
            total += sign == 0 ? (double)NAN : sign * (double)INFINITY;
    }
    *value = total;
    return true;
}

/** The fraction bits that terms keep below the largest exponent. */
enum { KEPT_FRACTION = 25 };

/** The term cut off to the exponent that all terms share. */
static int64_t aligned(int64_t significand, int fraction, int below) {
    if (!significand || below > 62) return 0; /* a zero has no exponent that counts */
    int64_t sign = 1;
    if (significand < 0) sign = -1;
    return sign * (sign * significand << (KEPT_FRACTION - fraction) >> below);
}

/** The sum of the products and of what was there before. The result is exact in a double. */
static double block_sum(const Number *a, const Number *b, unsigned count, int product_fraction, Number sum,
                        int sum_fraction) {
    double special;
    if (sum_is_special(a, b, count, sum, &special)) return special;
    int most = INT16_MIN;
    for (unsigned i = 0; i < count; i++)
        if (a[i].significand && b[i].significand && a[i].exponent + b[i].exponent > most)
            most = a[i].exponent + b[i].exponent;
    if (sum.significand && sum.exponent > most) most = sum.exponent;
    int64_t total = 0;
    if (sum.significand) total = aligned(sum.significand, sum_fraction, most - sum.exponent);
    for (unsigned i = 0; i < count; i++)
        total += aligned((int64_t)a[i].significand * b[i].significand, product_fraction,
                         most - a[i].exponent - b[i].exponent);
    if (total) return ldexp((double)total, most - KEPT_FRACTION);
    return 0;
}

/** Cut off to a float's digits. */
static uint32_t float_cut(double value) {
    uint32_t bits;
    if (value != value) return 0x7fffffff;
    float rounded = (float)value;
    if (fabs((double)rounded) > fabs(value) && isfinite(rounded)) rounded = nextafterf(rounded, 0);
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

static uint64_t sum_bits(double value, PtxType type) {
    if (type == PTX_F16) return half_to_f16(value, PTX_RN);
    return float_cut(value);
}

/** How many products are added up at once. */
static unsigned block_of(PtxType type) {
    if (type == PTX_E4M3 || type == PTX_E5M2) return 32;
    if (type == PTX_TF32) return 8;
    return 16;
}

/** One element of d, block by block. */
static uint64_t blocks_sum(const PtxMatrices *shape, const Number *row, const Number *column, uint64_t sum) {
    unsigned k = shape->k, block = block_of(shape->a);
    int fraction = formats[shape->a].fraction + formats[shape->b].fraction;
    PtxType type = shape->c;
    for (unsigned at = 0; at < k; at += block) {
        unsigned count = MIN(k - at, block);
        double value = block_sum(row + at, column + at, count, fraction, number_of(sum, formats[type]),
                                 formats[type].fraction);
        sum = sum_bits(value, shape->d);
        type = shape->d;
    }
    return sum;
}

static float float_of(uint64_t bits, PtxType type) {
    uint32_t word = (uint32_t)bits;
    float value;
    if (type == PTX_F16) return (float)half_from_f16((uint16_t)bits);
    memcpy(&value, &word, sizeof value);
    return value;
}

/** mma.m8n8k4, which newer cards have no unit for: the sum is rounded, not cut off. LIMIT: the last bit may
 * be another one than an H200's, whose order of adding up is not known; of floats of 8 bits likewise. */
static uint64_t rounded_sum(const PtxMatrices *shape, const uint64_t *row, const uint64_t *column,
                            uint64_t c) {
    double all = (double)float_of(c, shape->c);
    for (unsigned i = 0; i < shape->k; i++)
        all += (double)float_of(row[i], PTX_F16) * (double)float_of(column[i], PTX_F16);
    float sum = (float)all;
    if (shape->d == PTX_F16) return half_to_f16((double)sum, PTX_RN);
    return nan_bits_of(sum);
}

/** Each factor is taken apart once, not once for each sum that it goes into. The oldest shape, mma.m8n8k4 on
 * halves, adds floats and rounds them; all others add blocks of exact products and cut off. */
static void multiply_floats(GpuProduct *product) {
    const PtxMatrices *shape = &product->shape;
    enum { MOST_NUMBERS = 32 * 32 };
    Number a[MOST_NUMBERS], b[MOST_NUMBERS];
    unsigned k = shape->k;
    bool rounds = shape->a == PTX_F16 && k == 4;
    numbers_of(product->a, shape->m * k, shape->a, a);
    numbers_of(product->b, shape->n * k, shape->b, b);
    for (unsigned i = 0; i < shape->m * shape->n; i++) {
        unsigned row = i / shape->n * k, column = i % shape->n * k;
        product->d[i] = rounds ? rounded_sum(shape, product->a + row, product->b + column, product->c[i])
                               : blocks_sum(shape, a + row, b + column, product->c[i]);
    }
}

/* ---- doubles: one fma after the other ---- */

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void multiply_doubles(GpuProduct *product) {
    const PtxMatrices *shape = &product->shape;
    for (unsigned i = 0; i < shape->m * shape->n; i++) {
        const uint64_t *row = product->a + i / shape->n * shape->k;
        const uint64_t *column = product->b + i % shape->n * shape->k;
        double sum = double_of(product->c[i]);
        for (unsigned at = 0; at < shape->k; at++)
            sum = fma(double_of(row[at]), double_of(column[at]), sum);
        memcpy(&product->d[i], &sum, sizeof sum);
    }
}

/* ---- whole numbers and bits ---- */

static int64_t whole_of(uint64_t bits, PtxType type) {
    if (type == PTX_S8) return (int8_t)bits;
    if (type == PTX_S4) return (int64_t)(bits & 7) - (int64_t)(bits & 8);
    return (int64_t)bits;
}

static int64_t whole_product(const GpuProduct *product, uint64_t a, uint64_t b) {
    const PtxMatrices *shape = &product->shape;
    if (shape->a != PTX_B1) return whole_of(a, shape->a) * whole_of(b, shape->b);
    return (int64_t)(product->boolean == PTX_BOOL_XOR ? a ^ b : a & b);
}

/** Products of whole numbers and of bits: each sum is kept in 64 bits, where none can overflow, and
 * saturated or cut to 32 bits at the end. */
static void multiply_whole(GpuProduct *product) {
    const PtxMatrices *shape = &product->shape;
    for (unsigned i = 0; i < shape->m * shape->n; i++) {
        const uint64_t *row = product->a + i / shape->n * shape->k;
        const uint64_t *column = product->b + i % shape->n * shape->k;
        int64_t sum = (int32_t)(uint32_t)product->c[i];
        for (unsigned at = 0; at < shape->k; at++)
            sum += whole_product(product, row[at], column[at]);
        if (product->saturates && sum > INT32_MAX) sum = INT32_MAX;
        if (product->saturates && sum < INT32_MIN) sum = INT32_MIN;
        product->d[i] = (uint32_t)sum;
    }
}

void matrix_multiply(GpuProduct *product) {
    if (product->shape.d == PTX_S32)
        multiply_whole(product);
    else if (product->shape.d == PTX_F64)
        multiply_doubles(product);
    else
        multiply_floats(product);
}
