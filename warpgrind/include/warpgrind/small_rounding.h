/* small_rounding.h - numbers to 16-bit floating types and back, in every rounding, on both sides.
 *
 * A mode is a letter: n nearest (even), z to zero, d down, u up, as in the functions' names.
 */
#ifndef WARPGRIND_SMALL_ROUNDING_H
#define WARPGRIND_SMALL_ROUNDING_H

#include "../cuda_runtime.h"

/* ---- what a double can hold of a number: all, or what rounds as the number does ---- */

__WARPGRIND_BOTH__ double __warpgrind_exact(double value) {
    return value;
}
__WARPGRIND_BOTH__ double __warpgrind_exact(float value) {
    return (double)value;
}
/* Of more than 53 bits the last one kept stands for all behind it: then rounding further on is right. */
__WARPGRIND_BOTH__ double __warpgrind_exact(unsigned long long value) {
    if (value >> 53) value = (value & ~0x7ffull) | (unsigned long long)((value & 0x7ff) != 0) << 11;
    return (double)value;
}
__WARPGRIND_BOTH__ double __warpgrind_exact(unsigned long value) {
    return __warpgrind_exact((unsigned long long)value);
}
__WARPGRIND_BOTH__ double __warpgrind_exact(long long value) {
    return value < 0 ? -__warpgrind_exact(0ull - (unsigned long long)value)
                     : __warpgrind_exact((unsigned long long)value);
}
__WARPGRIND_BOTH__ double __warpgrind_exact(long value) {
    return __warpgrind_exact((long long)value);
}
#define WARPGRIND_EXACT(T)                                                                                   \
    __WARPGRIND_BOTH__ double __warpgrind_exact(T value) {                                                   \
        return (double)value;                                                                                \
    }
WARPGRIND_EXACT(short)
WARPGRIND_EXACT(unsigned short)
WARPGRIND_EXACT(int)
WARPGRIND_EXACT(unsigned int)
#undef WARPGRIND_EXACT

/* Whether what is cut off makes the magnitude one larger. */
__WARPGRIND_BOTH__ bool __warpgrind_rounds_up(char mode, bool negative, unsigned long long kept,
                                              unsigned long long rest, unsigned long long half) {
    if (mode == 'n') return rest > half || (rest == half && (kept & 1));
    if (mode == 'd') return rest != 0 && negative;
    if (mode == 'u') return rest != 0 && !negative;
    return false;
}

/* The bits of a floating type of 1 + exponent_bits + fraction_bits. */
__WARPGRIND_BOTH__ unsigned short __warpgrind_round_bits(double value, int exponent_bits, int fraction_bits,
                                                         char mode) {
    unsigned long long word, infinity = ((1ull << exponent_bits) - 1) << fraction_bits;
    __builtin_memcpy(&word, &value, sizeof word);
    const bool negative = word >> 63;
    const unsigned int sign = negative ? 0x8000 : 0;
    int exponent = (int)(word >> 52 & 0x7ff);
    unsigned long long significand = word & 0xfffffffffffffull;
    if (exponent == 0x7ff) return (unsigned short)(significand ? 0x7fff : sign | infinity);
    if (exponent == 0 && significand == 0) return (unsigned short)sign;
    if (exponent != 0) significand |= 1ull << 52;
    /* The exponent in the small type; below 1 the value is subnormal, and loses bits. */
    exponent += (1 << (exponent_bits - 1)) - 1 - 1023;
    int shift = 52 - fraction_bits + (exponent < 1 ? 1 - exponent : 0);
    if (shift > 60) shift = 60;
    const unsigned long long rest = significand & ((1ull << shift) - 1), half = 1ull << (shift - 1);
    unsigned long long kept = significand >> shift;
    if (exponent >= 1) kept += (unsigned long long)(exponent - 1) << fraction_bits;
    kept += __warpgrind_rounds_up(mode, negative, kept, rest, half);
    if (exponent >= (1 << exponent_bits) - 1 || kept >= infinity) {
        const bool away = mode == 'n' || (mode == 'd' && negative) || (mode == 'u' && !negative);
        kept = away ? infinity : infinity - 1;
    }
    return (unsigned short)(sign | kept);
}

/* Whole numbers, held in the type's range; NaN is 0, or in 64 bits the highest bit alone. */
template <typename T>
static __host__ __device__ __WARPGRIND_INLINE__ T __warpgrind_whole(float value, char mode, T lowest,
                                                                    T highest) {
    if (value != value) return sizeof(T) == 8 ? (T)(1ull << 63) : (T)0;
    const float whole = mode == 'n'   ? __builtin_rintf(value)
                        : mode == 'z' ? __builtin_truncf(value)
                        : mode == 'd' ? __builtin_floorf(value)
                                      : __builtin_ceilf(value);
    if (whole <= (float)lowest) return lowest;
    return whole >= (float)highest ? highest : (T)whole;
}

__WARPGRIND_BOTH__ float __warpgrind_saturate(float value) {
    return value > 0 ? (value < 1 ? value : 1.0f) : 0.0f;
}

/* In arguments of macros. */
#define WARPGRIND_COMMA ,

#endif
