/* cuda_fp16.h - half precision: __half and __half2, conversions on both sides, arithmetic in device code.
 *
 * Arithmetic is the f16 instructions of PTX. The host converts by software, rounding to nearest even.
 * LIMIT: the common functions only. Source: CUDA Math API, Half Precision Intrinsics; IEEE 754 binary16.
 */
#ifndef WARPGRIND_CUDA_FP16_H
#define WARPGRIND_CUDA_FP16_H

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

#define WARPGRIND_HALF_MEMBER __host__ __device__ __WARPGRIND_INLINE__

struct __half_raw {
    unsigned short x;
};

/* ---- conversions ---- */

__WARPGRIND_BOTH__ unsigned short __warpgrind_half_bits(float value) {
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    unsigned int word;
    __builtin_memcpy(&word, &value, sizeof word);
    unsigned int sign = word >> 16 & 0x8000, magnitude = word & 0x7fffffff;
    if (magnitude > 0x7f800000) return (unsigned short)(sign | 0x7fff);
    if (magnitude >= 0x477ff000)
        return (unsigned short)(sign | 0x7c00); /* 65520 and above round to infinity */
    unsigned int kept, rest, half;
    if (magnitude >= 0x38800000) {
        kept = (magnitude - 0x38000000) >> 13;
        rest = magnitude & 0x1fff;
        half = 0x1000;
    } else {
        unsigned int shift = 126 - (magnitude >> 23); /* subnormal: 24 bits of significand, fewer kept */
        if (shift > 24) return (unsigned short)sign;
        unsigned int significand = (magnitude & 0x7fffff) | 0x800000;
        kept = significand >> shift;
        rest = significand & ((1u << shift) - 1);
        half = 1u << (shift - 1);
    }
    return (unsigned short)(sign | (kept + (rest > half || (rest == half && (kept & 1)))));
#endif
}

__WARPGRIND_BOTH__ float __warpgrind_half_value(unsigned short bits) {
    float value;
#ifdef __CUDA_ARCH__
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
#else
    unsigned int sign = (unsigned int)(bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f,
                 fraction = bits & 0x3ff;
    if (exponent == 0) {
        value = (float)fraction * 5.9604644775390625e-8f; /* 2^-24 */
        return sign ? -value : value;
    }
    unsigned int word = sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | fraction << 13;
    __builtin_memcpy(&value, &word, sizeof value);
#endif
    return value;
}

struct __half {
    unsigned short __x;
    __half() = default;
    WARPGRIND_HALF_MEMBER __half(const __half_raw &raw) : __x(raw.x) {}
    WARPGRIND_HALF_MEMBER __half(float value) : __x(__warpgrind_half_bits(value)) {}
    WARPGRIND_HALF_MEMBER __half(double value) : __x(__warpgrind_half_bits((float)value)) {}
    WARPGRIND_HALF_MEMBER __half(int value) : __x(__warpgrind_half_bits((float)value)) {}
    WARPGRIND_HALF_MEMBER __half(unsigned int value) : __x(__warpgrind_half_bits((float)value)) {}
    WARPGRIND_HALF_MEMBER operator float() const {
        return __warpgrind_half_value(__x);
    }
    WARPGRIND_HALF_MEMBER operator __half_raw() const {
        return __half_raw{__x};
    }
};
typedef __half half;

struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    WARPGRIND_HALF_MEMBER __half2(const __half &a, const __half &b) : x(a), y(b) {}
};
typedef __half2 half2;

__WARPGRIND_BOTH__ __half __float2half(float value) {
    return __half(value);
}
__WARPGRIND_BOTH__ __half __float2half_rn(float value) {
    return __half(value);
}
__WARPGRIND_BOTH__ __half __double2half(double value) {
    return __half(value);
}
__WARPGRIND_BOTH__ float __half2float(__half value) {
    return (float)value;
}
__WARPGRIND_BOTH__ __half2 __floats2half2_rn(float a, float b) {
    return __half2(__half(a), __half(b));
}
__WARPGRIND_BOTH__ __half2 __float2half2_rn(float a) {
    return __half2(__half(a), __half(a));
}
__WARPGRIND_BOTH__ __half2 __halves2half2(__half a, __half b) {
    return __half2(a, b);
}
__WARPGRIND_BOTH__ __half2 __half2half2(__half a) {
    return __half2(a, a);
}
__WARPGRIND_BOTH__ __half2 make_half2(__half a, __half b) {
    return __half2(a, b);
}
__WARPGRIND_BOTH__ __half __low2half(__half2 a) {
    return a.x;
}
__WARPGRIND_BOTH__ __half __high2half(__half2 a) {
    return a.y;
}
__WARPGRIND_BOTH__ float __low2float(__half2 a) {
    return (float)a.x;
}
__WARPGRIND_BOTH__ float __high2float(__half2 a) {
    return (float)a.y;
}
__WARPGRIND_BOTH__ float2 __half22float2(__half2 a) {
    return float2{(float)a.x, (float)a.y};
}
__WARPGRIND_BOTH__ __half2 __float22half2_rn(float2 a) {
    return __half2(__half(a.x), __half(a.y));
}
__WARPGRIND_BOTH__ unsigned short __half_as_ushort(__half a) {
    return a.__x;
}
__WARPGRIND_BOTH__ __half __ushort_as_half(unsigned short bits) {
    return __half(__half_raw{bits});
}
__WARPGRIND_BOTH__ __half __int2half_rn(int value) {
    return __half(value);
}
__WARPGRIND_DEVICE__ int __half2int_rn(__half value) {
    return __float2int_rn((float)value);
}
__WARPGRIND_DEVICE__ int __half2int_rz(__half value) {
    return __float2int_rz((float)value);
}

/* ---- arithmetic in device code ---- */

#define WARPGRIND_HALF_BINARY(name, operation)                                                               \
    __WARPGRIND_DEVICE__ __half name(__half a, __half b) {                                                   \
        __half d;                                                                                            \
        asm(operation ".f16 %0, %1, %2;" : "=h"(d.__x) : "h"(a.__x), "h"(b.__x));                            \
        return d;                                                                                            \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ __half2 name##2(__half2 a, __half2 b) {                                             \
        return __half2(name(a.x, b.x), name(a.y, b.y));                                                      \
    }
WARPGRIND_HALF_BINARY(__hadd, "add.rn")
WARPGRIND_HALF_BINARY(__hsub, "sub.rn")
WARPGRIND_HALF_BINARY(__hmul, "mul.rn")
WARPGRIND_HALF_BINARY(__hmin, "min")
WARPGRIND_HALF_BINARY(__hmax, "max")
#undef WARPGRIND_HALF_BINARY

__WARPGRIND_DEVICE__ __half __hfma(__half a, __half b, __half c) {
    __half d;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return d;
}
__WARPGRIND_DEVICE__ __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
/* Division has no half instruction: in single precision, rounded once more, as CUDA does it. */
__WARPGRIND_BOTH__ __half __hdiv(__half a, __half b) {
    return __half((float)a / (float)b);
}
__WARPGRIND_BOTH__ __half2 __h2div(__half2 a, __half2 b) {
    return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
__WARPGRIND_BOTH__ __half __hneg(__half a) {
    return __ushort_as_half((unsigned short)(a.__x ^ 0x8000));
}
__WARPGRIND_BOTH__ __half __habs(__half a) {
    return __ushort_as_half((unsigned short)(a.__x & 0x7fff));
}
__WARPGRIND_BOTH__ __half2 __hneg2(__half2 a) {
    return __half2(__hneg(a.x), __hneg(a.y));
}
__WARPGRIND_BOTH__ bool __hisnan(__half a) {
    return (a.__x & 0x7fff) > 0x7c00;
}

#define WARPGRIND_HALF_FUNCTION(name, computed)                                                              \
    __WARPGRIND_DEVICE__ __half name(__half a) {                                                             \
        return __half(computed((float)a));                                                                   \
    }
WARPGRIND_HALF_FUNCTION(hsqrt, sqrtf)
WARPGRIND_HALF_FUNCTION(hrsqrt, rsqrtf)
WARPGRIND_HALF_FUNCTION(hexp, expf)
WARPGRIND_HALF_FUNCTION(hexp2, exp2f)
WARPGRIND_HALF_FUNCTION(hlog, logf)
WARPGRIND_HALF_FUNCTION(hlog2, log2f)
WARPGRIND_HALF_FUNCTION(hsin, sinf)
WARPGRIND_HALF_FUNCTION(hcos, cosf)
WARPGRIND_HALF_FUNCTION(hfloor, floorf)
WARPGRIND_HALF_FUNCTION(hceil, ceilf)
WARPGRIND_HALF_FUNCTION(htrunc, truncf)
WARPGRIND_HALF_FUNCTION(hrint, rintf)
#undef WARPGRIND_HALF_FUNCTION

/* Computed in single precision and rounded back: for one operation the same as in half. */
#define WARPGRIND_HALF_OPERATOR(sign)                                                                        \
    __WARPGRIND_BOTH__ __half operator sign(const __half &a, const __half &b) {                              \
        return __half((float)a sign(float) b);                                                               \
    }                                                                                                        \
    __WARPGRIND_BOTH__ __half &operator sign##=(__half &a, const __half &b) {                                \
        a = a sign b;                                                                                        \
        return a;                                                                                            \
    }                                                                                                        \
    __WARPGRIND_BOTH__ __half2 operator sign(const __half2 &a, const __half2 &b) {                           \
        return __half2(a.x sign b.x, a.y sign b.y);                                                          \
    }                                                                                                        \
    __WARPGRIND_BOTH__ __half2 &operator sign##=(__half2 &a, const __half2 &b) {                             \
        a = a sign b;                                                                                        \
        return a;                                                                                            \
    }
WARPGRIND_HALF_OPERATOR(+)
WARPGRIND_HALF_OPERATOR(-)
WARPGRIND_HALF_OPERATOR(*)
WARPGRIND_HALF_OPERATOR(/)
#undef WARPGRIND_HALF_OPERATOR
__WARPGRIND_BOTH__ __half operator-(const __half &a) {
    return __hneg(a);
}

#define WARPGRIND_HALF_COMPARE(name, sign)                                                                   \
    __WARPGRIND_BOTH__ bool name(__half a, __half b) {                                                       \
        return (float)a sign(float) b;                                                                       \
    }                                                                                                        \
    __WARPGRIND_BOTH__ bool operator sign(const __half &a, const __half &b) {                                \
        return (float)a sign(float) b;                                                                       \
    }
WARPGRIND_HALF_COMPARE(__heq, ==)
WARPGRIND_HALF_COMPARE(__hne, !=)
WARPGRIND_HALF_COMPARE(__hlt, <)
WARPGRIND_HALF_COMPARE(__hle, <=)
WARPGRIND_HALF_COMPARE(__hgt, >)
WARPGRIND_HALF_COMPARE(__hge, >=)
#undef WARPGRIND_HALF_COMPARE

/* ---- between threads ---- */

__WARPGRIND_DEVICE__ __half atomicAdd(__half *address, __half value) {
    __half old;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
                 : "=h"(old.__x)
                 : "l"(address), "h"(value.__x)
                 : "memory");
    return old;
}
#define WARPGRIND_HALF_SHUFFLE(name, choice)                                                                 \
    __WARPGRIND_DEVICE__ __half name(unsigned int mask, __half value, choice lane, int width = 32) {         \
        return __ushort_as_half((unsigned short)name(mask, (unsigned int)value.__x, lane, width));           \
    }
WARPGRIND_HALF_SHUFFLE(__shfl_sync, int)
WARPGRIND_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
WARPGRIND_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
WARPGRIND_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef WARPGRIND_HALF_SHUFFLE
#undef WARPGRIND_HALF_MEMBER

#endif
#endif
