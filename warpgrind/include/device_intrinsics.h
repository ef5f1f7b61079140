/* device_intrinsics.h - integer, conversion and rounding intrinsics of device code.
 *
 * One row is a function that is one PTX instruction.
 * Source: CUDA Math API, Integer Intrinsics, Type Casting Intrinsics, Single and Double Precision Intrinsics.
 */
#ifndef WARPGRIND_DEVICE_INTRINSICS_H
#define WARPGRIND_DEVICE_INTRINSICS_H

#include "vector_types.h"

/* Name, result type and register, operand type and register, instruction. */
#define WARPGRIND_PTX1(name, result, rd, type, ra, instruction)                                              \
    __WARPGRIND_DEVICE__ result name(type x) {                                                               \
        result d;                                                                                            \
        asm(instruction " %0, %1;" : "=" rd(d) : ra(x));                                                     \
        return d;                                                                                            \
    }
#define WARPGRIND_PTX2(name, type, reg, instruction)                                                         \
    __WARPGRIND_DEVICE__ type name(type x, type y) {                                                         \
        type d;                                                                                              \
        asm(instruction " %0, %1, %2;" : "=" reg(d) : reg(x), reg(y));                                       \
        return d;                                                                                            \
    }
#define WARPGRIND_PTX3(name, type, reg, instruction)                                                         \
    __WARPGRIND_DEVICE__ type name(type x, type y, type z) {                                                 \
        type d;                                                                                              \
        asm(instruction " %0, %1, %2, %3;" : "=" reg(d) : reg(x), reg(y), reg(z));                           \
        return d;                                                                                            \
    }

/* ---- integers ---- */
WARPGRIND_PTX1(__popc, int, "r", unsigned int, "r", "popc.b32")
WARPGRIND_PTX1(__popcll, int, "r", unsigned long long int, "l", "popc.b64")
WARPGRIND_PTX1(__clz, int, "r", int, "r", "clz.b32")
WARPGRIND_PTX1(__clzll, int, "r", long long int, "l", "clz.b64")
WARPGRIND_PTX1(__brev, unsigned int, "r", unsigned int, "r", "brev.b32")
WARPGRIND_PTX1(__brevll, unsigned long long int, "l", unsigned long long int, "l", "brev.b64")
WARPGRIND_PTX2(__mul24, int, "r", "mul24.lo.s32")
WARPGRIND_PTX2(__umul24, unsigned int, "r", "mul24.lo.u32")
WARPGRIND_PTX2(__mulhi, int, "r", "mul.hi.s32")
WARPGRIND_PTX2(__umulhi, unsigned int, "r", "mul.hi.u32")
WARPGRIND_PTX2(__mul64hi, long long int, "l", "mul.hi.s64")
WARPGRIND_PTX2(__umul64hi, unsigned long long int, "l", "mul.hi.u64")
WARPGRIND_PTX3(__usad, unsigned int, "r", "sad.u32")
/* Three bits choose a byte; the fourth, with which prmt would copy a sign, does not count here. */
__WARPGRIND_DEVICE__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int choices) {
    return __nvvm_prmt(x, y, choices & 0x7777);
}
/* 1 + the place of the lowest set bit, 0 when there is none. */
__WARPGRIND_DEVICE__ int __ffs(int x) {
    return __builtin_ffs(x);
}
__WARPGRIND_DEVICE__ int __ffsll(long long int x) {
    return __builtin_ffsll(x);
}
__WARPGRIND_DEVICE__ unsigned int __sad(int x, int y, unsigned int z) {
    return z + (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x);
}
/* Means of two without overflow: rounded down, and up. */
__WARPGRIND_DEVICE__ int __hadd(int x, int y) {
    return (int)(((long long)x + y) >> 1);
}
__WARPGRIND_DEVICE__ int __rhadd(int x, int y) {
    return (int)(((long long)x + y + 1) >> 1);
}
__WARPGRIND_DEVICE__ unsigned int __uhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
__WARPGRIND_DEVICE__ unsigned int __urhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
/* {high, low} shifted as one: by shift modulo 32, or (c) by at most 32. */
#define WARPGRIND_FUNNEL(name, instruction)                                                                  \
    __WARPGRIND_DEVICE__ unsigned int name(unsigned int low, unsigned int high, unsigned int shift) {        \
        unsigned int d;                                                                                      \
        asm(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(shift));                     \
        return d;                                                                                            \
    }
WARPGRIND_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
WARPGRIND_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
WARPGRIND_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
WARPGRIND_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef WARPGRIND_FUNNEL
/* c + the products of four bytes, or of two halves with two bytes: signed as the operands are. */
#define WARPGRIND_DOT(name, instruction, sign, T, A, B)                                                      \
    __WARPGRIND_DEVICE__ T name(A x, B y, T c) {                                                             \
        T d;                                                                                                 \
        asm(instruction sign " %0, %1, %2, %3;"                                                              \
            : "=r"(d)                                                                                        \
            : "r"(__builtin_bit_cast(int, x)), "r"(__builtin_bit_cast(int, y)), "r"(c));                     \
        return d;                                                                                            \
    }
#define WARPGRIND_DOTS(sign, T, word, bytes, halves)                                                         \
    WARPGRIND_DOT(__dp4a, "dp4a", sign, T, word, word)                                                       \
    WARPGRIND_DOT(__dp4a, "dp4a", sign, T, bytes, bytes)                                                     \
    WARPGRIND_DOT(__dp2a_lo, "dp2a.lo", sign, T, word, word)                                                 \
    WARPGRIND_DOT(__dp2a_lo, "dp2a.lo", sign, T, halves, bytes)                                              \
    WARPGRIND_DOT(__dp2a_hi, "dp2a.hi", sign, T, word, word)                                                 \
    WARPGRIND_DOT(__dp2a_hi, "dp2a.hi", sign, T, halves, bytes)
WARPGRIND_DOTS(".s32.s32", int, int, char4, short2)
WARPGRIND_DOTS(".u32.u32", unsigned int, unsigned int, uchar4, ushort2)
#undef WARPGRIND_DOT
#undef WARPGRIND_DOTS
/* The place of the offset-th set bit of the mask, counted from bit base on (or down, if negative). */
__WARPGRIND_DEVICE__ unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    unsigned int place;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(place) : "r"(mask), "r"(base), "r"(offset));
    return place;
}

/* ---- the same bits as another type ---- */
WARPGRIND_PTX1(__float_as_int, int, "r", float, "f", "mov.b32")
WARPGRIND_PTX1(__float_as_uint, unsigned int, "r", float, "f", "mov.b32")
WARPGRIND_PTX1(__int_as_float, float, "f", int, "r", "mov.b32")
WARPGRIND_PTX1(__uint_as_float, float, "f", unsigned int, "r", "mov.b32")
WARPGRIND_PTX1(__double_as_longlong, long long int, "l", double, "d", "mov.b64")
WARPGRIND_PTX1(__longlong_as_double, double, "d", long long int, "l", "mov.b64")
__WARPGRIND_DEVICE__ int __double2hiint(double x) {
    return (int)(__double_as_longlong(x) >> 32);
}
__WARPGRIND_DEVICE__ int __double2loint(double x) {
    return (int)__double_as_longlong(x);
}
__WARPGRIND_DEVICE__ double __hiloint2double(int high, int low) {
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

/* ---- conversions, rounded to nearest (rn), to zero (rz), up (ru) and down (rd) ---- */
#define WARPGRIND_CONVERT(name, mode, to, rd, from, ra, types)                                               \
    WARPGRIND_PTX1(name, to, rd, from, ra, "cvt." mode "." types)
#define WARPGRIND_TO_INTEGER(name, to, rd, from, ra, types)                                                  \
    WARPGRIND_CONVERT(name##_rn, "rni", to, rd, from, ra, types)                                             \
    WARPGRIND_CONVERT(name##_rz, "rzi", to, rd, from, ra, types)                                             \
    WARPGRIND_CONVERT(name##_ru, "rpi", to, rd, from, ra, types)                                             \
    WARPGRIND_CONVERT(name##_rd, "rmi", to, rd, from, ra, types)
#define WARPGRIND_TO_FLOAT(name, to, rd, from, ra, types)                                                    \
    WARPGRIND_CONVERT(name##_rn, "rn", to, rd, from, ra, types)                                              \
    WARPGRIND_CONVERT(name##_rz, "rz", to, rd, from, ra, types)                                              \
    WARPGRIND_CONVERT(name##_ru, "rp", to, rd, from, ra, types)                                              \
    WARPGRIND_CONVERT(name##_rd, "rm", to, rd, from, ra, types)

WARPGRIND_TO_INTEGER(__float2int, int, "r", float, "f", "s32.f32")
WARPGRIND_TO_INTEGER(__float2uint, unsigned int, "r", float, "f", "u32.f32")
WARPGRIND_TO_INTEGER(__float2ll, long long int, "l", float, "f", "s64.f32")
WARPGRIND_TO_INTEGER(__float2ull, unsigned long long int, "l", float, "f", "u64.f32")
WARPGRIND_TO_INTEGER(__double2int, int, "r", double, "d", "s32.f64")
WARPGRIND_TO_INTEGER(__double2uint, unsigned int, "r", double, "d", "u32.f64")
WARPGRIND_TO_INTEGER(__double2ll, long long int, "l", double, "d", "s64.f64")
WARPGRIND_TO_INTEGER(__double2ull, unsigned long long int, "l", double, "d", "u64.f64")
WARPGRIND_TO_FLOAT(__int2float, float, "f", int, "r", "f32.s32")
WARPGRIND_TO_FLOAT(__uint2float, float, "f", unsigned int, "r", "f32.u32")
WARPGRIND_TO_FLOAT(__ll2float, float, "f", long long int, "l", "f32.s64")
WARPGRIND_TO_FLOAT(__ull2float, float, "f", unsigned long long int, "l", "f32.u64")
WARPGRIND_TO_FLOAT(__ll2double, double, "d", long long int, "l", "f64.s64")
WARPGRIND_TO_FLOAT(__ull2double, double, "d", unsigned long long int, "l", "f64.u64")
WARPGRIND_TO_FLOAT(__double2float, float, "f", double, "d", "f32.f64")
/* Every int is a double: one mode is enough. */
WARPGRIND_CONVERT(__int2double_rn, "rn", double, "d", int, "r", "f64.s32")
WARPGRIND_CONVERT(__uint2double_rn, "rn", double, "d", unsigned int, "r", "f64.u32")
#undef WARPGRIND_TO_INTEGER
#undef WARPGRIND_TO_FLOAT
#undef WARPGRIND_CONVERT

/* ---- arithmetic in a given rounding ---- */
#define WARPGRIND_ROUNDED(ROW, prefix, operation, type, reg, ptx)                                            \
    ROW(prefix##_rn, type, reg, operation ".rn." ptx)                                                        \
    ROW(prefix##_rz, type, reg, operation ".rz." ptx)                                                        \
    ROW(prefix##_ru, type, reg, operation ".rp." ptx)                                                        \
    ROW(prefix##_rd, type, reg, operation ".rm." ptx)
#define WARPGRIND_SAME1(name, type, reg, instruction) WARPGRIND_PTX1(name, type, reg, type, reg, instruction)

WARPGRIND_ROUNDED(WARPGRIND_PTX2, __fadd, "add", float, "f", "f32")
WARPGRIND_ROUNDED(WARPGRIND_PTX2, __fsub, "sub", float, "f", "f32")
WARPGRIND_ROUNDED(WARPGRIND_PTX2, __fmul, "mul", float, "f", "f32")
WARPGRIND_ROUNDED(WARPGRIND_PTX2, __fdiv, "div", float, "f", "f32")
WARPGRIND_ROUNDED(WARPGRIND_PTX3, __fmaf, "fma", float, "f", "f32")
WARPGRIND_ROUNDED(WARPGRIND_SAME1, __frcp, "rcp", float, "f", "f32")
WARPGRIND_ROUNDED(WARPGRIND_SAME1, __fsqrt, "sqrt", float, "f", "f32")
WARPGRIND_ROUNDED(WARPGRIND_PTX2, __dadd, "add", double, "d", "f64")
WARPGRIND_ROUNDED(WARPGRIND_PTX2, __dsub, "sub", double, "d", "f64")
WARPGRIND_ROUNDED(WARPGRIND_PTX2, __dmul, "mul", double, "d", "f64")
WARPGRIND_ROUNDED(WARPGRIND_PTX2, __ddiv, "div", double, "d", "f64")
WARPGRIND_ROUNDED(WARPGRIND_PTX3, __fma, "fma", double, "d", "f64")
WARPGRIND_ROUNDED(WARPGRIND_SAME1, __drcp, "rcp", double, "d", "f64")
WARPGRIND_ROUNDED(WARPGRIND_SAME1, __dsqrt, "sqrt", double, "d", "f64")
WARPGRIND_ROUNDED(WARPGRIND_PTX3, __fmaf_ieee, "fma", float, "f", "f32")
WARPGRIND_SAME1(__frsqrt_rn, float, "f", "rsqrt.approx.f32")
WARPGRIND_SAME1(__saturatef, float, "f", "cvt.sat.f32.f32")

#undef WARPGRIND_ROUNDED
#undef WARPGRIND_SAME1
#undef WARPGRIND_PTX1
#undef WARPGRIND_PTX2
#undef WARPGRIND_PTX3

#endif
