/* nan.h - which NaN comes of an operation (PTX ISA 9.7.3).
 *
 * f32 makes the canonical one of all. f64 hands on the payload of the first operand that is a NaN, made
 * quiet, and makes a negative NaN of what is invalid, as a card does; conversions between the two keep the
 * leading bits. Said in bits, since a compiler may exchange operands and each processor has its own way.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NAN32 __builtin_nanf("0x3fffff")
#define NAN64_QUIET UINT64_C(0x0008000000000000)
#define NAN64_INVALID UINT64_C(0xFFF8000000000000)

typedef union NanBits64 {
    double value;
    uint64_t bits;
} NanBits64;
typedef union NanBits32 {
    float value;
    uint32_t bits;
} NanBits32;

static inline __attribute__((always_inline)) float nan_canonical(float v) {
    if (v == v) return v;
    return NAN32;
}

/* Where abs.f32 does not become part of the next operation, a card adds zero. LIMIT: so it does with neg, of
 * which warpgrind turns the sign, as copysign counts on. */
#define NAN32_BITS UINT32_C(0x7fffffff)
/** The bits of a float that an operation gives. */
static inline __attribute__((always_inline)) uint32_t nan_bits_of(float v) {
    const NanBits32 given = {nan_canonical(v)};
    return given.bits;
}

static inline __attribute__((always_inline)) bool nan_is32(uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
}

/** The result v of an operation on x, y and z; one with fewer operands gives one of them again. */
static inline __attribute__((always_inline)) double nan_of(double v, double x, double y, double z) {
    const NanBits64 a = {x}, b = {y}, c = {z};
    uint64_t third = NAN64_INVALID;
    if (z != z) third = c.bits | NAN64_QUIET;
    uint64_t second = third;
    if (y != y) second = b.bits | NAN64_QUIET;
    const NanBits64 nan = {.bits = x != x ? a.bits | NAN64_QUIET : second};
    if (v == v) return v;
    return nan.value;
}

static inline __attribute__((always_inline)) double nan_widened(double v, float x) {
    const NanBits32 from = {x};
    const uint64_t sign = (uint64_t)(from.bits >> 31) << 63, payload = (uint64_t)(from.bits & 0x7fffff) << 29;
    const NanBits64 nan = {.bits = sign | UINT64_C(0x7ff8000000000000) | payload};
    if (v == v) return v;
    return nan.value;
}

static inline __attribute__((always_inline)) float nan_narrowed(float v, double x) {
    const NanBits64 from = {x};
    const uint32_t sign = (uint32_t)(from.bits >> 63) << 31;
    const NanBits32 nan = {.bits = sign | 0x7fc00000 | (uint32_t)(from.bits >> 29 & 0x7fffff)};
    if (v == v) return v;
    return nan.value;
}
