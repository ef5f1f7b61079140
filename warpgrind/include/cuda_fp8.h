/* cuda_fp8.h - floating types of 8 bits: e5m2 (a half cut short, with infinities) and e4m3 (one more bit of
 * fraction, no infinities, the largest number is 448), alone, in pairs and in fours, and conversions of both
 * sides.
 *
 * All goes through double, which holds every number of the other types, and is rounded once, to nearest even.
 * LIMIT: no e8m0 (scales of Blackwell's matrices). Source: CUDA Math API, FP8 Intrinsics; Micikevicius et
 * al., FP8 formats for deep learning. tests/cc/programs/fp8.cu compares all inputs with what nvcc's programs
 * give.
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus) && defined(__CUDA__)

/* ---- conversions ---- */

/* The magnitude in units of the last place, rounded to even; the sum carries from fraction to exponent by
 * itself. */
__WARPGRIND_BOTH__ __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                             const __nv_fp8_interpretation_t interpretation) {
    const bool e5m2 = interpretation == __NV_E5M2;
    const int fraction = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7;
    const unsigned int largest = e5m2 ? 0x7b : 0x7e, beyond = e5m2 ? 0x7c : 0x7f;
    unsigned long long word;
    __builtin_memcpy(&word, &x, sizeof word);
    const unsigned int sign = (unsigned int)(word >> 63) << 7;
    word &= 0x7fffffffffffffffull;
    /* Not a number: e5m2 keeps the first bits of what it says. */
    if (word > 0x7ff0000000000000ull)
        return (__nv_fp8_storage_t)(sign | (e5m2 ? 0x7e | (unsigned int)(word >> 50 & 3) : 0x7f));
    int exponent = (int)(word >> 52) - 1023;
    const unsigned long long significand = (word & 0xfffffffffffffull) | (word >> 52 ? 1ull << 52 : 0);
    const bool normal = exponent > -bias;
    const int lost = 52 - fraction + (normal ? 0 : 1 - bias - exponent);
    unsigned int code = 0;
    if (exponent > bias + 1) {
        code = beyond + 1;
    } else if (lost <= 53) {
        const unsigned long long kept = significand >> lost, rest = significand - (kept << lost),
                                 half = 1ull << (lost - 1);
        code = (unsigned int)(kept + (rest > half || (rest == half && (kept & 1))));
        if (normal) code += (unsigned int)(exponent + bias - 1) << fraction;
    }
    if (code > largest) code = saturate == __NV_SATFINITE ? largest : beyond;
    return (__nv_fp8_storage_t)(sign | code);
}

__WARPGRIND_BOTH__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                            const __nv_fp8_interpretation_t interpretation) {
    if (x != x) return 0x7f; /* only a double's has a sign */
    return __nv_cvt_double_to_fp8((double)x, saturate, interpretation);
}
__WARPGRIND_BOTH__ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    const __half_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t interpretation) {
    return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturate, interpretation);
}
__WARPGRIND_BOTH__ __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
                            const __nv_fp8_interpretation_t interpretation) {
    return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), saturate, interpretation);
}

/* Of a pair the first is in the lower byte. */
#define WARPGRIND_FP8_PAIR(name, pair_t, one)                                                                \
    __WARPGRIND_BOTH__ __nv_fp8x2_storage_t name(const pair_t x, const __nv_saturation_t saturate,           \
                                                 const __nv_fp8_interpretation_t interpretation) {           \
        return (__nv_fp8x2_storage_t)(one(x.x) | (unsigned int)one(x.y) << 8);                               \
    }
#define WARPGRIND_FP8_ONE(x) __nv_cvt_double_to_fp8((double)(x), saturate, interpretation)
WARPGRIND_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, WARPGRIND_FP8_ONE)
#undef WARPGRIND_FP8_ONE
#define WARPGRIND_FP8_ONE(x) __nv_cvt_float_to_fp8(x, saturate, interpretation)
WARPGRIND_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, WARPGRIND_FP8_ONE)
#undef WARPGRIND_FP8_ONE
#define WARPGRIND_FP8_ONE(x) __nv_cvt_halfraw_to_fp8(__half_raw{x}, saturate, interpretation)
WARPGRIND_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, WARPGRIND_FP8_ONE)
#undef WARPGRIND_FP8_ONE
#define WARPGRIND_FP8_ONE(x) __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x}, saturate, interpretation)
WARPGRIND_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, WARPGRIND_FP8_ONE)
#undef WARPGRIND_FP8_ONE
#undef WARPGRIND_FP8_PAIR

/* Exact: a half has more of everything. */
__WARPGRIND_BOTH__ __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                                      const __nv_fp8_interpretation_t interpretation) {
    const unsigned int sign = (x & 0x80u) << 8, code = x & 0x7fu;
    __half_raw half;
    half.x = (unsigned short)(sign | code << 8);
    if (interpretation == __NV_E5M2) {
        if (code > 0x7c) half.x = 0x7fff;
        return half;
    }
    if (code == 0x7f) {
        half.x = 0x7fff;
        return half;
    }
    unsigned int exponent = code >> 3, fraction = (code & 7) << 7;
    if (exponent == 0 && fraction != 0)
        for (exponent = 1; !(fraction & 0x400); fraction <<= 1)
            exponent--;
    half.x = (unsigned short)(sign | (code == 0 ? 0 : (exponent + 8) << 10 | (fraction & 0x3ff)));
    return half;
}
__WARPGRIND_BOTH__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                          const __nv_fp8_interpretation_t interpretation) {
    __half2_raw pair;
    pair.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x & 0xff), interpretation).x;
    pair.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), interpretation).x;
    return pair;
}

/* What is not a number has all bits set. */
__WARPGRIND_BOTH__ float __warpgrind_fp8_value(const __half_raw half) {
    const unsigned int none = 0x7fffffff;
    float value = __half2float(__half(half));
    if (value != value) __builtin_memcpy(&value, &none, sizeof value);
    return value;
}

/* ---- the types: numbers that are too large become the largest one ---- */

#define WARPGRIND_FP8_FROM(type, number_t, value)                                                            \
    __WARPGRIND_FP8_MEMBER__ explicit type(const number_t x)                                                 \
        : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, interpretation)) {}
#define WARPGRIND_FP8_TO(number_t, value)                                                                    \
    __WARPGRIND_FP8_MEMBER__ explicit operator number_t() const {                                            \
        return value;                                                                                        \
    }
#define __WARPGRIND_FP8_MEMBER__ __host__ __device__ __WARPGRIND_INLINE__

#define WARPGRIND_FP8(type, pair, four, how)                                                                 \
    struct type {                                                                                            \
        static constexpr __nv_fp8_interpretation_t interpretation = how;                                     \
        __nv_fp8_storage_t __x;                                                                              \
        type() = default;                                                                                    \
        __WARPGRIND_FP8_MEMBER__ explicit type(const float x)                                                \
            : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, interpretation)) {}                               \
        WARPGRIND_FP8_FROM(type, double, x)                                                                  \
        __WARPGRIND_FP8_MEMBER__ explicit type(const __half x)                                               \
            : __x(__nv_cvt_float_to_fp8(__half2float(x), __NV_SATFINITE, interpretation)) {}                 \
        __WARPGRIND_FP8_MEMBER__ explicit type(const __nv_bfloat16 x)                                        \
            : __x(__nv_cvt_float_to_fp8(__bfloat162float(x), __NV_SATFINITE, interpretation)) {}             \
        WARPGRIND_FP8_FROM(type, short, (double)x)                                                           \
        WARPGRIND_FP8_FROM(type, unsigned short, (double)x)                                                  \
        WARPGRIND_FP8_FROM(type, int, (double)x)                                                             \
        WARPGRIND_FP8_FROM(type, unsigned int, (double)x)                                                    \
        WARPGRIND_FP8_FROM(type, long, (double)x)                                                            \
        WARPGRIND_FP8_FROM(type, unsigned long, (double)x)                                                   \
        WARPGRIND_FP8_FROM(type, long long, (double)x)                                                       \
        WARPGRIND_FP8_FROM(type, unsigned long long, (double)x)                                              \
        WARPGRIND_FP8_TO(__half, __half(__nv_cvt_fp8_to_halfraw(__x, interpretation)))                       \
        WARPGRIND_FP8_TO(float, __warpgrind_fp8_value(__nv_cvt_fp8_to_halfraw(__x, interpretation)))         \
        WARPGRIND_FP8_TO(double, (double)(float)*this)                                                       \
        WARPGRIND_FP8_TO(__nv_bfloat16, __float2bfloat16_rz((float)*this))                                   \
        WARPGRIND_FP8_TO(bool, (__x & 0x7f) != 0)                                                            \
        WARPGRIND_FP8_TO(short, __half2short_rz((__half) * this))                                            \
        WARPGRIND_FP8_TO(unsigned short, __half2ushort_rz((__half) * this))                                  \
        WARPGRIND_FP8_TO(int, __half2int_rz((__half) * this))                                                \
        WARPGRIND_FP8_TO(unsigned int, __half2uint_rz((__half) * this))                                      \
        WARPGRIND_FP8_TO(long long, __half2ll_rz((__half) * this))                                           \
        WARPGRIND_FP8_TO(unsigned long long, __half2ull_rz((__half) * this))                                 \
        WARPGRIND_FP8_TO(long, (long)__half2ll_rz((__half) * this))                                          \
        WARPGRIND_FP8_TO(unsigned long, (unsigned long)__half2ull_rz((__half) * this))                       \
    };                                                                                                       \
    struct pair {                                                                                            \
        static constexpr __nv_fp8_interpretation_t interpretation = how;                                     \
        __nv_fp8x2_storage_t __x;                                                                            \
        pair() = default;                                                                                    \
        __WARPGRIND_FP8_MEMBER__ explicit pair(const float2 f)                                               \
            : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, interpretation)) {}                            \
        __WARPGRIND_FP8_MEMBER__ explicit pair(const double2 f)                                              \
            : __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, interpretation)) {}                           \
        __WARPGRIND_FP8_MEMBER__ explicit pair(const __half2 f)                                              \
            : __x(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(f), __NV_SATFINITE, interpretation)) { \
        }                                                                                                    \
        __WARPGRIND_FP8_MEMBER__ explicit pair(const __nv_bfloat162 f)                                       \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(f), __NV_SATFINITE,         \
                                                 interpretation)) {}                                         \
        WARPGRIND_FP8_TO(__half2, __half2(__nv_cvt_fp8x2_to_halfraw2(__x, interpretation)))                  \
        WARPGRIND_FP8_TO(float2, __half22float2((__half2) * this))                                           \
    };                                                                                                       \
    struct four {                                                                                            \
        __nv_fp8x4_storage_t __x;                                                                            \
        four() = default;                                                                                    \
        __WARPGRIND_FP8_MEMBER__ explicit four(const __half2 low, const __half2 high)                        \
            : __x(pair(low).__x | (unsigned int)pair(high).__x << 16) {}                                     \
        __WARPGRIND_FP8_MEMBER__ explicit four(const __nv_bfloat162 low, const __nv_bfloat162 high)          \
            : __x(pair(low).__x | (unsigned int)pair(high).__x << 16) {}                                     \
        __WARPGRIND_FP8_MEMBER__ explicit four(const float4 f)                                               \
            : __x(pair(make_float2(f.x, f.y)).__x | (unsigned int)pair(make_float2(f.z, f.w)).__x << 16) {}  \
        __WARPGRIND_FP8_MEMBER__ explicit four(const double4 f)                                              \
            : __x(pair(make_double2(f.x, f.y)).__x | (unsigned int)pair(make_double2(f.z, f.w)).__x << 16) { \
        }                                                                                                    \
        __WARPGRIND_FP8_MEMBER__ explicit operator float4() const {                                          \
            pair low, high;                                                                                  \
            low.__x = (__nv_fp8x2_storage_t)(__x & 0xffff);                                                  \
            high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                    \
            const float2 a = (float2)low, b = (float2)high;                                                  \
            return make_float4(a.x, a.y, b.x, b.y);                                                          \
        }                                                                                                    \
    };
WARPGRIND_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
WARPGRIND_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
#undef WARPGRIND_FP8
#undef WARPGRIND_FP8_FROM
#undef WARPGRIND_FP8_TO
#undef __WARPGRIND_FP8_MEMBER__

#endif
#endif
