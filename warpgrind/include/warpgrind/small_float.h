/* small_float.h - a 16-bit floating type with its pair: what cuda_fp16.h and cuda_bf16.h have in common. Each
 * includes this once, and says before:
 *
 *   WARPGRIND_SMALL          the type (__half), WARPGRIND_PAIR of two, WARPGRIND_RAW, WARPGRIND_PAIR_RAW bits
 *   WARPGRIND_NAME           as it stands in functions' names (half, bfloat16)
 *   WARPGRIND_PTX            as it stands in instructions (f16)
 *   WARPGRIND_EXPONENT, WARPGRIND_FRACTION    bits
 *
 * One operation is computed in single precision and rounded back, which gives the same as the operation
 * itself: 24 bits are at least twice the fraction's and two more. Only fma needs its instruction. Conversions
 * from numbers go through double by one function that rounds in any mode.
 * Source: CUDA Math API, Half and Bfloat16 Precision Intrinsics; IEEE 754.
 */

#define WARPGRIND_JOIN3(a, b, c) a##b##c
#define WARPGRIND_JOIN(a, b, c) WARPGRIND_JOIN3(a, b, c)
/* A function's name with the type's name inside. */
#define WARPGRIND_CALLED(before, after) WARPGRIND_JOIN(before, WARPGRIND_NAME, after)
#define WARPGRIND_TEXT2(text) #text
#define WARPGRIND_TEXT(text) WARPGRIND_TEXT2(text)
#define WARPGRIND_SUFFIX WARPGRIND_TEXT(WARPGRIND_PTX)
#define WARPGRIND_MEMBER __host__ __device__ __WARPGRIND_INLINE__
#define WARPGRIND_BITS WARPGRIND_CALLED(__warpgrind_, _bits)
#define WARPGRIND_VALUE WARPGRIND_CALLED(__warpgrind_, _value)
#define WARPGRIND_ONE ((unsigned short)(((1u << (WARPGRIND_EXPONENT - 1)) - 1) << WARPGRIND_FRACTION))
#define WARPGRIND_INFINITY (((1u << WARPGRIND_EXPONENT) - 1) << WARPGRIND_FRACTION)

struct WARPGRIND_RAW {
    unsigned short x;
};
struct __align__(4) WARPGRIND_PAIR_RAW {
    unsigned short x, y;
};

/* ---- bits and values ---- */

__WARPGRIND_BOTH__ unsigned short WARPGRIND_BITS(double value, char mode) {
    return __warpgrind_round_bits(value, WARPGRIND_EXPONENT, WARPGRIND_FRACTION, mode);
}
__WARPGRIND_BOTH__ unsigned short WARPGRIND_BITS(float value) {
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("cvt.rn." WARPGRIND_SUFFIX ".f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    return WARPGRIND_BITS((double)value, 'n');
#endif
}

struct WARPGRIND_SMALL {
    unsigned short __x;
    WARPGRIND_SMALL() = default;
    WARPGRIND_MEMBER WARPGRIND_SMALL(const WARPGRIND_RAW &raw) : __x(raw.x) {}
    WARPGRIND_MEMBER WARPGRIND_SMALL(float value) : __x(WARPGRIND_BITS(value)) {}
    WARPGRIND_MEMBER WARPGRIND_SMALL(double value) : __x(WARPGRIND_BITS(value, 'n')) {}
#define WARPGRIND_FROM(T)                                                                                    \
    WARPGRIND_MEMBER WARPGRIND_SMALL(T value) : __x(WARPGRIND_BITS(__warpgrind_exact(value), 'n')) {}
    WARPGRIND_FROM(short)
    WARPGRIND_FROM(unsigned short)
    WARPGRIND_FROM(int)
    WARPGRIND_FROM(unsigned int)
    WARPGRIND_FROM(long)
    WARPGRIND_FROM(unsigned long)
    WARPGRIND_FROM(long long)
    WARPGRIND_FROM(unsigned long long)
#undef WARPGRIND_FROM
    WARPGRIND_MEMBER operator float() const {
        return WARPGRIND_VALUE(__x);
    }
    WARPGRIND_MEMBER operator WARPGRIND_RAW() const {
        return WARPGRIND_RAW{__x};
    }
};

struct __align__(4) WARPGRIND_PAIR {
    WARPGRIND_SMALL x, y;
    WARPGRIND_PAIR() = default;
    WARPGRIND_MEMBER WARPGRIND_PAIR(const WARPGRIND_SMALL &a, const WARPGRIND_SMALL &b) : x(a), y(b) {}
    WARPGRIND_MEMBER WARPGRIND_PAIR(const WARPGRIND_PAIR_RAW &raw)
        : x(WARPGRIND_RAW{raw.x}), y(WARPGRIND_RAW{raw.y}) {}
    WARPGRIND_MEMBER operator WARPGRIND_PAIR_RAW() const {
        return WARPGRIND_PAIR_RAW{x.__x, y.__x};
    }
};

__WARPGRIND_BOTH__ WARPGRIND_SMALL WARPGRIND_CALLED(__ushort_as_, )(unsigned short bits) {
    return WARPGRIND_SMALL(WARPGRIND_RAW{bits});
}
__WARPGRIND_BOTH__ WARPGRIND_SMALL WARPGRIND_CALLED(__short_as_, )(short bits) {
    return WARPGRIND_SMALL(WARPGRIND_RAW{(unsigned short)bits});
}
__WARPGRIND_BOTH__ unsigned short WARPGRIND_CALLED(__, _as_ushort)(WARPGRIND_SMALL a) {
    return a.__x;
}
__WARPGRIND_BOTH__ short WARPGRIND_CALLED(__, _as_short)(WARPGRIND_SMALL a) {
    return (short)a.__x;
}

/* ---- conversions ---- */

__WARPGRIND_BOTH__ WARPGRIND_SMALL WARPGRIND_CALLED(__float2, )(float a) {
    return WARPGRIND_SMALL(a);
}
__WARPGRIND_BOTH__ WARPGRIND_SMALL WARPGRIND_CALLED(__float2, _rn)(float a) {
    return WARPGRIND_SMALL(a);
}
__WARPGRIND_BOTH__ WARPGRIND_SMALL WARPGRIND_CALLED(__double2, )(double a) {
    return WARPGRIND_SMALL(a);
}
__WARPGRIND_BOTH__ float WARPGRIND_CALLED(__, 2float)(WARPGRIND_SMALL a) {
    return (float)a;
}
#define WARPGRIND_ROUNDED(before, T, after, mode)                                                            \
    __WARPGRIND_BOTH__ WARPGRIND_SMALL WARPGRIND_CALLED(before, after)(T a) {                                \
        return WARPGRIND_SMALL(WARPGRIND_RAW{WARPGRIND_BITS(__warpgrind_exact(a), mode)});                   \
    }
#define WARPGRIND_TO_WHOLE(T, after, mode, lowest, highest)                                                  \
    __WARPGRIND_BOTH__ T WARPGRIND_CALLED(__, after)(WARPGRIND_SMALL a) {                                    \
        return (T)__warpgrind_whole<T>((float)a, mode, lowest, highest);                                     \
    }
#define WARPGRIND_WHOLE(name, T, lowest, highest)                                                            \
    WARPGRIND_ROUNDED(__##name##2, T, _rn, 'n')                                                              \
    WARPGRIND_ROUNDED(__##name##2, T, _rz, 'z')                                                              \
    WARPGRIND_ROUNDED(__##name##2, T, _rd, 'd')                                                              \
    WARPGRIND_ROUNDED(__##name##2, T, _ru, 'u')                                                              \
    WARPGRIND_TO_WHOLE(T, 2##name##_rn, 'n', lowest, highest)                                                \
    WARPGRIND_TO_WHOLE(T, 2##name##_rz, 'z', lowest, highest)                                                \
    WARPGRIND_TO_WHOLE(T, 2##name##_rd, 'd', lowest, highest)                                                \
    WARPGRIND_TO_WHOLE(T, 2##name##_ru, 'u', lowest, highest)
WARPGRIND_ROUNDED(__float2, float, _rz, 'z')
WARPGRIND_ROUNDED(__float2, float, _rd, 'd')
WARPGRIND_ROUNDED(__float2, float, _ru, 'u')
WARPGRIND_WHOLE(short, short, -32768, 32767)
WARPGRIND_WHOLE(ushort, unsigned short, 0, 65535)
WARPGRIND_WHOLE(int, int, -2147483647 - 1, 2147483647)
WARPGRIND_WHOLE(uint, unsigned int, 0, 4294967295u)
WARPGRIND_WHOLE(ll, long long, -9223372036854775807ll - 1, 9223372036854775807ll)
WARPGRIND_WHOLE(ull, unsigned long long, 0, 18446744073709551615ull)
WARPGRIND_TO_WHOLE(signed char, 2char_rz, 'z', -128, 127)
WARPGRIND_TO_WHOLE(unsigned char, 2uchar_rz, 'z', 0, 255)

/* ---- pairs ---- */

__WARPGRIND_BOTH__ WARPGRIND_PAIR WARPGRIND_CALLED(__halves2, 2)(WARPGRIND_SMALL a, WARPGRIND_SMALL b) {
    return WARPGRIND_PAIR(a, b);
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR WARPGRIND_CALLED(make_, 2)(WARPGRIND_SMALL a, WARPGRIND_SMALL b) {
    return WARPGRIND_PAIR(a, b);
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR WARPGRIND_CALLED(__floats2, 2_rn)(float a, float b) {
    return WARPGRIND_PAIR(WARPGRIND_SMALL(a), WARPGRIND_SMALL(b));
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR WARPGRIND_CALLED(__float2, 2_rn)(float a) {
    return WARPGRIND_PAIR(WARPGRIND_SMALL(a), WARPGRIND_SMALL(a));
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR WARPGRIND_CALLED(__float22, 2_rn)(float2 a) {
    return WARPGRIND_PAIR(WARPGRIND_SMALL(a.x), WARPGRIND_SMALL(a.y));
}
__WARPGRIND_BOTH__ float2 WARPGRIND_CALLED(__, 22float2)(WARPGRIND_PAIR a) {
    return float2{(float)a.x, (float)a.y};
}
__WARPGRIND_BOTH__ float __low2float(WARPGRIND_PAIR a) {
    return (float)a.x;
}
__WARPGRIND_BOTH__ float __high2float(WARPGRIND_PAIR a) {
    return (float)a.y;
}
__WARPGRIND_BOTH__ WARPGRIND_SMALL WARPGRIND_CALLED(__low2, )(WARPGRIND_PAIR a) {
    return a.x;
}
__WARPGRIND_BOTH__ WARPGRIND_SMALL WARPGRIND_CALLED(__high2, )(WARPGRIND_PAIR a) {
    return a.y;
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR WARPGRIND_CALLED(__low2, 2)(WARPGRIND_PAIR a) {
    return WARPGRIND_PAIR(a.x, a.x);
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR WARPGRIND_CALLED(__high2, 2)(WARPGRIND_PAIR a) {
    return WARPGRIND_PAIR(a.y, a.y);
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR WARPGRIND_CALLED(__lows2, 2)(WARPGRIND_PAIR a, WARPGRIND_PAIR b) {
    return WARPGRIND_PAIR(a.x, b.x);
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR WARPGRIND_CALLED(__highs2, 2)(WARPGRIND_PAIR a, WARPGRIND_PAIR b) {
    return WARPGRIND_PAIR(a.y, b.y);
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR __lowhigh2highlow(WARPGRIND_PAIR a) {
    return WARPGRIND_PAIR(a.y, a.x);
}

/* ---- arithmetic: each function of one value also for pairs ---- */

#define WARPGRIND_ARITHMETIC1(name, pairs, side, computed)                                                   \
    side WARPGRIND_SMALL name(WARPGRIND_SMALL a) {                                                           \
        return computed;                                                                                     \
    }                                                                                                        \
    side WARPGRIND_PAIR pairs(WARPGRIND_PAIR a) {                                                            \
        return WARPGRIND_PAIR(name(a.x), name(a.y));                                                         \
    }
#define WARPGRIND_ARITHMETIC2(name, pairs, side, computed)                                                   \
    side WARPGRIND_SMALL name(WARPGRIND_SMALL a, WARPGRIND_SMALL b) {                                        \
        return computed;                                                                                     \
    }                                                                                                        \
    side WARPGRIND_PAIR pairs(WARPGRIND_PAIR a, WARPGRIND_PAIR b) {                                          \
        return WARPGRIND_PAIR(name(a.x, b.x), name(a.y, b.y));                                               \
    }
/* A sum or product, also rounded on its own (_rn) and held in 0 to 1 (_sat). */
#define WARPGRIND_ARITHMETIC2_SAT(name, sign)                                                                \
    WARPGRIND_ARITHMETIC2(name, name##2, __WARPGRIND_BOTH__, WARPGRIND_SMALL((float)a sign(float) b))        \
    WARPGRIND_ARITHMETIC2(name##_rn, name##2_rn, __WARPGRIND_BOTH__, name(a, b))                             \
    WARPGRIND_ARITHMETIC2(name##_sat, name##2_sat, __WARPGRIND_BOTH__,                                       \
                          WARPGRIND_SMALL(__warpgrind_saturate((float)a sign(float) b)))
#define WARPGRIND_WITH_SIGN(bits) WARPGRIND_SMALL(WARPGRIND_RAW{(unsigned short)(bits)})

WARPGRIND_ARITHMETIC2_SAT(__hadd, +)
WARPGRIND_ARITHMETIC2_SAT(__hsub, -)
WARPGRIND_ARITHMETIC2_SAT(__hmul, *)
WARPGRIND_ARITHMETIC2(__hdiv, __h2div, __WARPGRIND_BOTH__, WARPGRIND_SMALL((float)a / (float)b))
WARPGRIND_ARITHMETIC1(__hneg, __hneg2, __WARPGRIND_BOTH__, WARPGRIND_WITH_SIGN(a.__x ^ 0x8000))
WARPGRIND_ARITHMETIC1(__habs, __habs2, __WARPGRIND_BOTH__, WARPGRIND_WITH_SIGN(a.__x & 0x7fff))
/* Of a number and NaN the number; with _nan NaN. */
WARPGRIND_ARITHMETIC2(__hmin, __hmin2, __WARPGRIND_DEVICE__, WARPGRIND_SMALL(fminf((float)a, (float)b)))
WARPGRIND_ARITHMETIC2(__hmax, __hmax2, __WARPGRIND_DEVICE__, WARPGRIND_SMALL(fmaxf((float)a, (float)b)))
WARPGRIND_ARITHMETIC2(__hmin_nan, __hmin2_nan, __WARPGRIND_DEVICE__,
                      WARPGRIND_SMALL((float)a != (float)a || (float)b != (float)b
                                          ? __builtin_nanf("")
                                          : fminf((float)a, (float)b)))
WARPGRIND_ARITHMETIC2(__hmax_nan, __hmax2_nan, __WARPGRIND_DEVICE__,
                      WARPGRIND_SMALL((float)a != (float)a || (float)b != (float)b
                                          ? __builtin_nanf("")
                                          : fmaxf((float)a, (float)b)))

__WARPGRIND_DEVICE__ WARPGRIND_SMALL __hfma(WARPGRIND_SMALL a, WARPGRIND_SMALL b, WARPGRIND_SMALL c) {
    WARPGRIND_SMALL d;
    asm("fma.rn." WARPGRIND_SUFFIX " %0, %1, %2, %3;" : "=h"(d.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return d;
}
__WARPGRIND_DEVICE__ WARPGRIND_SMALL __hfma_sat(WARPGRIND_SMALL a, WARPGRIND_SMALL b, WARPGRIND_SMALL c) {
    return WARPGRIND_SMALL(__warpgrind_saturate((float)__hfma(a, b, c)));
}
__WARPGRIND_DEVICE__ WARPGRIND_SMALL __hfma_relu(WARPGRIND_SMALL a, WARPGRIND_SMALL b, WARPGRIND_SMALL c) {
    const float d = (float)__hfma(a, b, c);
    return WARPGRIND_SMALL(d < 0 ? 0.0f : d);
}
#define WARPGRIND_FMA_PAIR(pairs, name)                                                                      \
    __WARPGRIND_DEVICE__ WARPGRIND_PAIR pairs(WARPGRIND_PAIR a, WARPGRIND_PAIR b, WARPGRIND_PAIR c) {        \
        return WARPGRIND_PAIR(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                     \
    }
WARPGRIND_FMA_PAIR(__hfma2, __hfma)
WARPGRIND_FMA_PAIR(__hfma2_sat, __hfma_sat)
WARPGRIND_FMA_PAIR(__hfma2_relu, __hfma_relu)
/* Complex a * b + c: x is the real part, y the imaginary. */
__WARPGRIND_DEVICE__ WARPGRIND_PAIR __hcmadd(WARPGRIND_PAIR a, WARPGRIND_PAIR b, WARPGRIND_PAIR c) {
    const WARPGRIND_SMALL real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
    return WARPGRIND_PAIR(__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary));
}

#define WARPGRIND_FUNCTION(name, computed)                                                                   \
    WARPGRIND_ARITHMETIC1(h##name, h2##name, __WARPGRIND_DEVICE__, WARPGRIND_SMALL(computed))
WARPGRIND_FUNCTION(sqrt, sqrtf((float)a))
WARPGRIND_FUNCTION(rsqrt, rsqrtf((float)a))
WARPGRIND_FUNCTION(rcp, 1.0f / (float)a)
WARPGRIND_FUNCTION(exp, expf((float)a))
WARPGRIND_FUNCTION(exp2, exp2f((float)a))
WARPGRIND_FUNCTION(exp10, exp10f((float)a))
WARPGRIND_FUNCTION(log, logf((float)a))
WARPGRIND_FUNCTION(log2, log2f((float)a))
WARPGRIND_FUNCTION(log10, log10f((float)a))
WARPGRIND_FUNCTION(sin, sinf((float)a))
WARPGRIND_FUNCTION(cos, cosf((float)a))
WARPGRIND_FUNCTION(tanh, tanhf((float)a))
WARPGRIND_FUNCTION(tanh_approx, tanhf((float)a))
WARPGRIND_FUNCTION(floor, floorf((float)a))
WARPGRIND_FUNCTION(ceil, ceilf((float)a))
WARPGRIND_FUNCTION(trunc, truncf((float)a))
WARPGRIND_FUNCTION(rint, rintf((float)a))

/* ---- comparisons: false with NaN, with a u at the end (unordered) true ---- */

__WARPGRIND_BOTH__ bool __hisnan(WARPGRIND_SMALL a) {
    return (a.__x & 0x7fff) > WARPGRIND_INFINITY;
}
__WARPGRIND_BOTH__ WARPGRIND_PAIR __hisnan2(WARPGRIND_PAIR a) {
    return WARPGRIND_PAIR(WARPGRIND_SMALL((int)__hisnan(a.x)), WARPGRIND_SMALL((int)__hisnan(a.y)));
}
/* 1 or -1 for an infinity of that sign. */
__WARPGRIND_BOTH__ int __hisinf(WARPGRIND_SMALL a) {
    return (a.__x & 0x7fff) != WARPGRIND_INFINITY ? 0 : a.__x & 0x8000 ? -1 : 1;
}
/* A comparison of values; of pairs as 1.0 and 0.0, as masks, and whether both hold (hb). */
#define WARPGRIND_COMPARE(name, condition)                                                                   \
    __WARPGRIND_BOTH__ bool __h##name(WARPGRIND_SMALL a, WARPGRIND_SMALL b) {                                \
        return condition;                                                                                    \
    }                                                                                                        \
    __WARPGRIND_BOTH__ bool __hb##name##2(WARPGRIND_PAIR a, WARPGRIND_PAIR b) {                              \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                   \
    }                                                                                                        \
    __WARPGRIND_BOTH__ unsigned int __h##name##2_mask(WARPGRIND_PAIR a, WARPGRIND_PAIR b) {                  \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);                \
    }                                                                                                        \
    __WARPGRIND_BOTH__ WARPGRIND_PAIR __h##name##2(WARPGRIND_PAIR a, WARPGRIND_PAIR b) {                     \
        return WARPGRIND_PAIR(WARPGRIND_SMALL((int)__h##name(a.x, b.x)),                                     \
                              WARPGRIND_SMALL((int)__h##name(a.y, b.y)));                                    \
    }
WARPGRIND_COMPARE(eq, (float)a == (float)b)
WARPGRIND_COMPARE(ne, (float)a<(float)b || (float)a>(float) b)
WARPGRIND_COMPARE(lt, (float)a < (float)b)
WARPGRIND_COMPARE(le, (float)a <= (float)b)
WARPGRIND_COMPARE(gt, (float)a > (float)b)
WARPGRIND_COMPARE(ge, (float)a >= (float)b)
WARPGRIND_COMPARE(equ, !__hne(a, b))
WARPGRIND_COMPARE(neu, (float)a != (float)b)
WARPGRIND_COMPARE(ltu, !((float)a >= (float)b))
WARPGRIND_COMPARE(leu, !((float)a > (float)b))
WARPGRIND_COMPARE(gtu, !((float)a <= (float)b))
WARPGRIND_COMPARE(geu, !((float)a < (float)b))

/* ---- operators ---- */

#define WARPGRIND_OPERATOR(sign, T, computed)                                                                \
    __WARPGRIND_BOTH__ T operator sign(const T &a, const T &b) {                                             \
        return computed(a, b);                                                                               \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T &operator sign##=(T &a, const T &b) {                                               \
        return a = computed(a, b);                                                                           \
    }
WARPGRIND_OPERATOR(+, WARPGRIND_SMALL, __hadd)
WARPGRIND_OPERATOR(-, WARPGRIND_SMALL, __hsub)
WARPGRIND_OPERATOR(*, WARPGRIND_SMALL, __hmul)
WARPGRIND_OPERATOR(/, WARPGRIND_SMALL, __hdiv)
WARPGRIND_OPERATOR(+, WARPGRIND_PAIR, __hadd2)
WARPGRIND_OPERATOR(-, WARPGRIND_PAIR, __hsub2)
WARPGRIND_OPERATOR(*, WARPGRIND_PAIR, __hmul2)
WARPGRIND_OPERATOR(/, WARPGRIND_PAIR, __h2div)

#define WARPGRIND_COMPARISON(sign, name)                                                                     \
    __WARPGRIND_BOTH__ bool operator sign(const WARPGRIND_SMALL &a, const WARPGRIND_SMALL &b) {              \
        return __h##name(a, b);                                                                              \
    }                                                                                                        \
    __WARPGRIND_BOTH__ bool operator sign(const WARPGRIND_PAIR &a, const WARPGRIND_PAIR &b) {                \
        return __hb##name##2(a, b);                                                                          \
    }
WARPGRIND_COMPARISON(==, eq)
WARPGRIND_COMPARISON(!=, neu)
WARPGRIND_COMPARISON(<, lt)
WARPGRIND_COMPARISON(<=, le)
WARPGRIND_COMPARISON(>, gt)
WARPGRIND_COMPARISON(>=, ge)

#define WARPGRIND_UNARY(T, unity, negative)                                                                  \
    __WARPGRIND_BOTH__ T operator+(const T &a) {                                                             \
        return a;                                                                                            \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T operator-(const T &a) {                                                             \
        return negative(a);                                                                                  \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T &operator++(T &a) {                                                                 \
        return a = a + unity;                                                                                \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T &operator--(T &a) {                                                                 \
        return a = a - unity;                                                                                \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T operator++(T &a, int) {                                                             \
        const T before = a;                                                                                  \
        ++a;                                                                                                 \
        return before;                                                                                       \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T operator--(T &a, int) {                                                             \
        const T before = a;                                                                                  \
        --a;                                                                                                 \
        return before;                                                                                       \
    }
WARPGRIND_UNARY(WARPGRIND_SMALL, WARPGRIND_SMALL(WARPGRIND_RAW{WARPGRIND_ONE}), __hneg)
WARPGRIND_UNARY(WARPGRIND_PAIR,
                WARPGRIND_PAIR(WARPGRIND_PAIR_RAW{WARPGRIND_ONE WARPGRIND_COMMA WARPGRIND_ONE}), __hneg2)

/* ---- between threads ---- */

#define WARPGRIND_SHUFFLE(name, choice)                                                                      \
    __WARPGRIND_DEVICE__ WARPGRIND_SMALL name(unsigned int mask, WARPGRIND_SMALL value, choice lane,         \
                                              int width = 32) {                                              \
        return WARPGRIND_WITH_SIGN(name(mask, (unsigned int)value.__x, lane, width));                        \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ WARPGRIND_PAIR name(unsigned int mask, WARPGRIND_PAIR value, choice lane,           \
                                             int width = 32) {                                               \
        const unsigned int word = name(mask, value.x.__x | (unsigned int)value.y.__x << 16, lane, width);    \
        return WARPGRIND_PAIR(WARPGRIND_WITH_SIGN(word), WARPGRIND_WITH_SIGN(word >> 16));                   \
    }
WARPGRIND_SHUFFLE(__shfl_sync, int)
WARPGRIND_SHUFFLE(__shfl_up_sync, unsigned int)
WARPGRIND_SHUFFLE(__shfl_down_sync, unsigned int)
WARPGRIND_SHUFFLE(__shfl_xor_sync, int)

#undef WARPGRIND_ARITHMETIC1
#undef WARPGRIND_ARITHMETIC2
#undef WARPGRIND_ARITHMETIC2_SAT
#undef WARPGRIND_BITS
#undef WARPGRIND_CALLED
#undef WARPGRIND_COMPARE
#undef WARPGRIND_COMPARISON
#undef WARPGRIND_EXPONENT
#undef WARPGRIND_FMA_PAIR
#undef WARPGRIND_FRACTION
#undef WARPGRIND_FUNCTION
#undef WARPGRIND_INFINITY
#undef WARPGRIND_JOIN
#undef WARPGRIND_JOIN3
#undef WARPGRIND_MEMBER
#undef WARPGRIND_NAME
#undef WARPGRIND_ONE
#undef WARPGRIND_OPERATOR
#undef WARPGRIND_PAIR
#undef WARPGRIND_PAIR_RAW
#undef WARPGRIND_PTX
#undef WARPGRIND_RAW
#undef WARPGRIND_ROUNDED
#undef WARPGRIND_SHUFFLE
#undef WARPGRIND_SMALL
#undef WARPGRIND_SUFFIX
#undef WARPGRIND_TEXT
#undef WARPGRIND_TEXT2
#undef WARPGRIND_TO_WHOLE
#undef WARPGRIND_UNARY
#undef WARPGRIND_VALUE
#undef WARPGRIND_WHOLE
#undef WARPGRIND_WITH_SIGN
