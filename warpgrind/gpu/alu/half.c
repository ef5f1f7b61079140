/* half.c - conversion between doubles and floats of 16 bits.
 *
 * A format is a number of fraction bits and a smallest exponent. The double is scaled so that a unit in the
 * last place becomes 1; what remains is rounding a double to a whole number, which is exact.
 */
#include "gpu/alu/half.h"
#include "base/minmax.h"

#include <math.h>
#include <string.h>

typedef struct Format {
    int fraction, exponent_bits;
} Format;
static const Format f16 = {10, 5}, bf16 = {7, 8};

/** The exact value of a float of 16 bits or less. Subnormals are multiples of the smallest one, and the
 * top exponent is kept for infinities and NaNs. */
static double half_decode(uint16_t bits, Format format) {
    int bias = (1 << (format.exponent_bits - 1)) - 1, top = (1 << format.exponent_bits) - 1;
    int exponent = bits >> format.fraction & top, fraction = bits & ((1 << format.fraction) - 1);
    double value;
    if (exponent == top)
        value = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, 1 - bias - format.fraction);
    else
        value = ldexp(fraction + (1 << format.fraction), exponent - bias - format.fraction);
    if (bits >> 15) return -value;
    return value;
}

/** Rounds a magnitude to a whole number of units in the last place. `negative`: the sign it will get,
 * which turns rounding up and rounding down around. */
static double half_round(double value, PtxRounding rounding, bool negative) {
    double down = floor(value), rest = value - down;
    if (rest == 0) return value;
    bool up = false;
    if (rounding == PTX_RM)
        up = negative;
    else if (rounding == PTX_RP)
        up = !negative;
    else if (rounding != PTX_RZ)
        up = rest > 0.5 || (rest == 0.5 && fmod(down, 2) != 0);
    if (up) return down + 1;
    return down;
}

/** The exponent that a magnitude is written with: subnormals and 0 have the smallest. */
static int least_exponent(double size, int bias) {
    if (size == 0) return 1 - bias;
    return MAX(ilogb(size), 1 - bias);
}

static uint16_t half_encode(double value, Format format, PtxRounding rounding) {
    int bias = (1 << (format.exponent_bits - 1)) - 1, top = (1 << format.exponent_bits) - 1;
    if (value != value) return 0x7fff;
    bool negative = signbit(value);
    uint16_t sign = negative ? 0x8000 : 0, infinity = (uint16_t)(sign | top << format.fraction);
    double size = fabs(value);
    if (isinf(size)) return infinity;
    int exponent = least_exponent(size, bias);
    double units = half_round(ldexp(size, format.fraction - exponent), rounding, negative);
    /* units may have become 2^(fraction+1): then the sum carries into the exponent, as it should */
    long whole = (long)units + ((long)(exponent + bias - 1) << format.fraction);
    if (whole < (long)top << format.fraction) return (uint16_t)(sign | whole);
    bool to_largest =
        rounding == PTX_RZ || (rounding == PTX_RM && !negative) || (rounding == PTX_RP && negative);
    if (to_largest) return (uint16_t)(infinity - 1);
    return infinity;
}

double half_from_f16(uint16_t bits) {
    return half_decode(bits, f16);
}
double half_from_bf16(uint16_t bits) {
    return half_decode(bits, bf16);
}
uint16_t half_to_f16(double value, PtxRounding rounding) {
    return half_encode(value, f16, rounding);
}
uint16_t half_to_bf16(double value, PtxRounding rounding) {
    return half_encode(value, bf16, rounding);
}

bool half_is_one(PtxType type) {
    return type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2;
}

static Format format_of(PtxType type) {
    if (type == PTX_BF16 || type == PTX_BF16X2) return bf16;
    return f16;
}

double half_from(PtxType type, uint16_t bits) {
    return half_decode(bits, format_of(type));
}
uint16_t half_to(PtxType type, double value, PtxRounding rounding) {
    return half_encode(value, format_of(type), rounding);
}

/* ---- 8 bits: e4m3 has no infinity, and its largest fraction with the largest exponent is NaN ---- */

static const Format e4m3 = {3, 4}, e5m2 = {2, 5};
enum { TINY_NAN = 0x7f, E4M3_LARGEST = 0x7e, E5M2_LARGEST = 0x7b };

double half_from_e4m3(uint8_t bits) {
    if ((bits & 0x7f) == TINY_NAN) return (double)NAN;
    int exponent = bits >> 3 & 15, fraction = bits & 7;
    double size;
    if (exponent)
        size = ldexp(8 + fraction, exponent - 10);
    else
        size = ldexp(fraction, -9);
    if (bits >> 7) return -size;
    return size;
}

double half_from_e5m2(uint8_t bits) {
    return half_decode((uint16_t)(bits << 8), f16); /* the upper half of an f16 */
}

/** A value as a float of 8 bits, rounded to nearest even. What is too large becomes the largest number
 * (PTX ISA 9.7.9.21, .satfinite), as these formats have few infinities or none. */
static uint8_t tiny_encode(double value, Format format, uint8_t largest) {
    if (value != value) return TINY_NAN;
    int bias = (1 << (format.exponent_bits - 1)) - 1;
    uint8_t sign = 0;
    if (signbit(value)) sign = 0x80;
    double size = fabs(value);
    if (isinf(size)) return sign | largest;
    int exponent = least_exponent(size, bias);
    if (exponent > bias + 1) return sign | largest;
    double units = half_round(ldexp(size, format.fraction - exponent), PTX_RN, false);
    int whole = (int)units + ((exponent + bias - 1) << format.fraction);
    return sign | (uint8_t)MIN(whole, largest);
}

uint8_t half_to_e4m3(double value) {
    return tiny_encode(value, e4m3, E4M3_LARGEST);
}
uint8_t half_to_e5m2(double value) {
    return tiny_encode(value, e5m2, E5M2_LARGEST);
}
