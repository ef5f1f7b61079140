/* math_functions.h - CUDA's mathematical functions in device code.
 *
 * Most rows are functions that the machine computes (__nv_NAME, see gpu/alu/library.def); those that are one PTX
 * instruction use clang's builtins; a few are made of others. Each exists as NAME(double), NAMEf(float) and,
 * as C++ has it, NAME(float), in the global namespace and in std where std has the name. host_prelude.h says
 * why before <cmath>. Source: CUDA Math API; CUDA C++ Programming Guide, Mathematical Functions.
 */
#ifndef __MATH_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__

#include "host_defines.h"

#define WARPGRIND_MATH __WARPGRIND_DEVICE__

/* ---- computed by the machine, also in std ---- */

#define WARPGRIND_STD_UNARY(ROW)                                                                             \
    ROW(acos)                                                                                                \
    ROW(acosh)                                                                                               \
    ROW(asin)                                                                                                \
    ROW(asinh)                                                                                               \
    ROW(atan)                                                                                                \
    ROW(atanh)                                                                                               \
    ROW(cbrt)                                                                                                \
    ROW(cos)                                                                                                 \
    ROW(cosh) ROW(erf) ROW(erfc) ROW(exp) ROW(exp2) ROW(expm1) ROW(lgamma) ROW(log) ROW(log10) ROW(log1p)    \
        ROW(log2) ROW(logb) ROW(nearbyint) ROW(round) ROW(sin) ROW(sinh) ROW(tan) ROW(tanh) ROW(tgamma)

#define WARPGRIND_STD_BINARY(ROW)                                                                            \
    ROW(atan2) ROW(fdim) ROW(fmod) ROW(hypot) ROW(nextafter) ROW(pow) ROW(remainder)

/* ---- computed by the machine, CUDA's own ---- */

#define WARPGRIND_CUDA_UNARY(ROW)                                                                            \
    ROW(cospi)                                                                                               \
    ROW(cyl_bessel_i0)                                                                                       \
    ROW(cyl_bessel_i1)                                                                                       \
    ROW(erfcinv)                                                                                             \
    ROW(erfcx)                                                                                               \
    ROW(erfinv)                                                                                              \
    ROW(exp10)                                                                                               \
    ROW(j0) ROW(j1) ROW(normcdf) ROW(normcdfinv) ROW(rcbrt) ROW(rsqrt) ROW(sinpi) ROW(tanpi) ROW(y0) ROW(y1)
#define WARPGRIND_CUDA_BINARY(ROW) ROW(rhypot)
#define WARPGRIND_CUDA_TERNARY(ROW) ROW(norm3d) ROW(rnorm3d)
#define WARPGRIND_CUDA_QUATERNARY(ROW) ROW(norm4d) ROW(rnorm4d)

/* The three spellings of one function: `parameters` and `arguments` with T for the type. */
#define WARPGRIND_SPELLINGS(name, parameters, call)                                                          \
    extern "C" __device__ double __nv_##name(parameters(double));                                            \
    extern "C" __device__ float __nv_##name##f(parameters(float));                                           \
    WARPGRIND_MATH double name(parameters(double)) {                                                         \
        return __nv_##name call;                                                                             \
    }                                                                                                        \
    WARPGRIND_MATH float name##f(parameters(float)) {                                                        \
        return __nv_##name##f call;                                                                          \
    }                                                                                                        \
    WARPGRIND_MATH float name(parameters(float)) {                                                           \
        return __nv_##name##f call;                                                                          \
    }

#define WARPGRIND_X(T) T x
#define WARPGRIND_XY(T) T x, T y
#define WARPGRIND_XYZ(T) T x, T y, T z
#define WARPGRIND_XYZW(T) T x, T y, T z, T w
#define WARPGRIND_XN(T) T x, int n
#define WARPGRIND_NX(T) int n, T x
#define WARPGRIND_UNARY(name) WARPGRIND_SPELLINGS(name, WARPGRIND_X, (x))
#define WARPGRIND_BINARY(name) WARPGRIND_SPELLINGS(name, WARPGRIND_XY, (x, y))
#define WARPGRIND_TERNARY(name) WARPGRIND_SPELLINGS(name, WARPGRIND_XYZ, (x, y, z))
#define WARPGRIND_QUATERNARY(name) WARPGRIND_SPELLINGS(name, WARPGRIND_XYZW, (x, y, z, w))

WARPGRIND_STD_UNARY(WARPGRIND_UNARY)
WARPGRIND_STD_BINARY(WARPGRIND_BINARY)
WARPGRIND_CUDA_UNARY(WARPGRIND_UNARY)
WARPGRIND_CUDA_BINARY(WARPGRIND_BINARY)
WARPGRIND_CUDA_TERNARY(WARPGRIND_TERNARY)
WARPGRIND_CUDA_QUATERNARY(WARPGRIND_QUATERNARY)
WARPGRIND_SPELLINGS(ldexp, WARPGRIND_XN, (x, n))
WARPGRIND_SPELLINGS(scalbn, WARPGRIND_XN, (x, n))
WARPGRIND_SPELLINGS(jn, WARPGRIND_NX, (n, x))
WARPGRIND_SPELLINGS(yn, WARPGRIND_NX, (n, x))

/* ---- one instruction each ---- */

#define WARPGRIND_BUILTIN(name, parameters, f64, f32)                                                        \
    WARPGRIND_MATH double name(parameters(double)) {                                                         \
        return f64;                                                                                          \
    }                                                                                                        \
    WARPGRIND_MATH float name##f(parameters(float)) {                                                        \
        return f32;                                                                                          \
    }                                                                                                        \
    WARPGRIND_MATH float name(parameters(float)) {                                                           \
        return f32;                                                                                          \
    }
WARPGRIND_BUILTIN(ceil, WARPGRIND_X, __builtin_ceil(x), __builtin_ceilf(x))
WARPGRIND_BUILTIN(fabs, WARPGRIND_X, __builtin_fabs(x), __builtin_fabsf(x))
WARPGRIND_BUILTIN(floor, WARPGRIND_X, __builtin_floor(x), __builtin_floorf(x))
WARPGRIND_BUILTIN(rint, WARPGRIND_X, __builtin_rint(x), __builtin_rintf(x))
WARPGRIND_BUILTIN(sqrt, WARPGRIND_X, __nvvm_sqrt_rn_d(x), __nvvm_sqrt_rn_f(x))
WARPGRIND_BUILTIN(trunc, WARPGRIND_X, __builtin_trunc(x), __builtin_truncf(x))
WARPGRIND_BUILTIN(copysign, WARPGRIND_XY, __builtin_copysign(x, y), __builtin_copysignf(x, y))
WARPGRIND_BUILTIN(fmax, WARPGRIND_XY, __nvvm_fmax_d(x, y), __nvvm_fmax_f(x, y))
WARPGRIND_BUILTIN(fmin, WARPGRIND_XY, __nvvm_fmin_d(x, y), __nvvm_fmin_f(x, y))
WARPGRIND_BUILTIN(fma, WARPGRIND_XYZ, __nvvm_fma_rn_d(x, y, z), __nvvm_fma_rn_f(x, y, z))

/* ---- to integers ---- */

#define WARPGRIND_TO_INT(name, result, computed)                                                             \
    extern "C" __device__ computed __nv_##name(double);                                                      \
    extern "C" __device__ computed __nv_##name##f(float);                                                    \
    WARPGRIND_MATH result name(double x) {                                                                   \
        return (result)__nv_##name(x);                                                                       \
    }                                                                                                        \
    WARPGRIND_MATH result name##f(float x) {                                                                 \
        return (result)__nv_##name##f(x);                                                                    \
    }                                                                                                        \
    WARPGRIND_MATH result name(float x) {                                                                    \
        return (result)__nv_##name##f(x);                                                                    \
    }
WARPGRIND_TO_INT(ilogb, int, int)
WARPGRIND_TO_INT(lrint, long int, long long int)
WARPGRIND_TO_INT(llrint, long long int, long long int)
WARPGRIND_TO_INT(lround, long int, long long int)
WARPGRIND_TO_INT(llround, long long int, long long int)

/* ---- results through pointers ---- */

#define WARPGRIND_THROUGH_POINTERS(T, f)                                                                     \
    extern "C" __device__ int __nv_remquo_quotient##f(T x, T y);                                             \
    WARPGRIND_MATH void sincos##f(T x, T *sine, T *cosine) {                                                 \
        *sine = sin(x);                                                                                      \
        *cosine = cos(x);                                                                                    \
    }                                                                                                        \
    WARPGRIND_MATH void sincospi##f(T x, T *sine, T *cosine) {                                               \
        *sine = sinpi(x);                                                                                    \
        *cosine = cospi(x);                                                                                  \
    }                                                                                                        \
    WARPGRIND_MATH T modf##f(T x, T *whole) {                                                                \
        *whole = trunc(x);                                                                                   \
        return copysign(__builtin_isinf(x) ? (T)0 : x - *whole, x);                                          \
    }                                                                                                        \
    WARPGRIND_MATH T frexp##f(T x, int *exponent) {                                                          \
        *exponent = 0;                                                                                       \
        if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x)) return x;                                    \
        *exponent = ilogb(x) + 1;                                                                            \
        return scalbn(x, -*exponent);                                                                        \
    }                                                                                                        \
    WARPGRIND_MATH T remquo##f(T x, T y, int *quotient) {                                                    \
        *quotient = __nv_remquo_quotient##f(x, y);                                                           \
        return remainder(x, y);                                                                              \
    }                                                                                                        \
    WARPGRIND_MATH T norm##f(int count, const T *values) {                                                   \
        T length = 0;                                                                                        \
        for (int i = 0; i < count; i++)                                                                      \
            length = hypot(length, values[i]);                                                               \
        return length;                                                                                       \
    }                                                                                                        \
    WARPGRIND_MATH T rnorm##f(int count, const T *values) {                                                  \
        return 1 / norm##f(count, values);                                                                   \
    }                                                                                                        \
    WARPGRIND_MATH T scalbln##f(T x, long int n) {                                                           \
        return scalbn(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);                              \
    }                                                                                                        \
    WARPGRIND_MATH T nan##f(const char *tag) {                                                               \
        return (T)__builtin_nan("");                                                                         \
    }
WARPGRIND_THROUGH_POINTERS(double, )
WARPGRIND_THROUGH_POINTERS(float, f)
WARPGRIND_MATH float modf(float x, float *whole) {
    return modff(x, whole);
}
WARPGRIND_MATH float frexp(float x, int *exponent) {
    return frexpf(x, exponent);
}
WARPGRIND_MATH float remquo(float x, float y, int *quotient) {
    return remquof(x, y, quotient);
}
WARPGRIND_MATH float scalbln(float x, long int n) {
    return scalblnf(x, n);
}

/* ---- integers as arguments ---- */

/* As <cmath> has it, an integer counts as a double. The library's own templates for this are constexpr, so
 * clang takes them for device functions; they call builtins that have no device code, and the compiler dies.
 * These stand on the device's side alone and are preferred there. What calls a function by its name (pow,
 * fmax and others of two and three arguments) works as the library has it. */
template <bool is_integer> struct WarpgrindResults {};
template <> struct WarpgrindResults<true> {
    typedef double Double;
    typedef int Int;
    typedef long int Long;
    typedef long long int LongLong;
};
template <typename T> struct WarpgrindInteger : WarpgrindResults<__is_integral(T)> {};
#define WARPGRIND_OF_INTEGER(name, Result, parameters, call)                                                 \
    template <typename T>                                                                                    \
    WARPGRIND_MATH typename WarpgrindInteger<T>::Result name(parameters(T)) {                    \
        return name call;                                                                                    \
    }
#define WARPGRIND_OF_INTEGER_UNARY(name) WARPGRIND_OF_INTEGER(name, Double, WARPGRIND_X, ((double)x))
#define WARPGRIND_XL(T) T x, long int n
#define WARPGRIND_XP(T) T x, int *n

WARPGRIND_STD_UNARY(WARPGRIND_OF_INTEGER_UNARY)
WARPGRIND_OF_INTEGER_UNARY(ceil)
WARPGRIND_OF_INTEGER_UNARY(fabs)
WARPGRIND_OF_INTEGER_UNARY(floor)
WARPGRIND_OF_INTEGER_UNARY(rint)
WARPGRIND_OF_INTEGER_UNARY(sqrt)
WARPGRIND_OF_INTEGER_UNARY(trunc)
WARPGRIND_OF_INTEGER(ilogb, Int, WARPGRIND_X, ((double)x))
WARPGRIND_OF_INTEGER(lrint, Long, WARPGRIND_X, ((double)x))
WARPGRIND_OF_INTEGER(lround, Long, WARPGRIND_X, ((double)x))
WARPGRIND_OF_INTEGER(llrint, LongLong, WARPGRIND_X, ((double)x))
WARPGRIND_OF_INTEGER(llround, LongLong, WARPGRIND_X, ((double)x))
WARPGRIND_OF_INTEGER(ldexp, Double, WARPGRIND_XN, ((double)x, n))
WARPGRIND_OF_INTEGER(scalbn, Double, WARPGRIND_XN, ((double)x, n))
WARPGRIND_OF_INTEGER(scalbln, Double, WARPGRIND_XL, ((double)x, n))
WARPGRIND_OF_INTEGER(frexp, Double, WARPGRIND_XP, ((double)x, n))

/* ---- fast approximations: the machine's are exact, so that no answer depends on them ---- */

#define WARPGRIND_FAST(name, parameters, call)                                                               \
    extern "C" __device__ float __nv_fast_##name(parameters(float));                                         \
    WARPGRIND_MATH float __##name(parameters(float)) {                                                       \
        return __nv_fast_##name call;                                                                        \
    }
WARPGRIND_FAST(cosf, WARPGRIND_X, (x))
WARPGRIND_FAST(exp10f, WARPGRIND_X, (x))
WARPGRIND_FAST(expf, WARPGRIND_X, (x))
WARPGRIND_FAST(log10f, WARPGRIND_X, (x))
WARPGRIND_FAST(log2f, WARPGRIND_X, (x))
WARPGRIND_FAST(logf, WARPGRIND_X, (x))
WARPGRIND_FAST(sinf, WARPGRIND_X, (x))
WARPGRIND_FAST(tanf, WARPGRIND_X, (x))
WARPGRIND_FAST(fdividef, WARPGRIND_XY, (x, y))
WARPGRIND_FAST(powf, WARPGRIND_XY, (x, y))
WARPGRIND_MATH void __sincosf(float x, float *sine, float *cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
WARPGRIND_MATH float fdividef(float x, float y) {
    return __fdividef(x, y);
}

/* ---- integers ---- */

WARPGRIND_MATH int abs(int x) {
    return x < 0 ? -x : x;
}
WARPGRIND_MATH long int labs(long int x) {
    return x < 0 ? -x : x;
}
WARPGRIND_MATH long long int llabs(long long int x) {
    return x < 0 ? -x : x;
}
WARPGRIND_MATH long int abs(long int x) {
    return labs(x);
}
WARPGRIND_MATH long long int abs(long long int x) {
    return llabs(x);
}
WARPGRIND_MATH double abs(double x) {
    return fabs(x);
}
WARPGRIND_MATH float abs(float x) {
    return fabsf(x);
}

/* ---- std ---- */

#define WARPGRIND_USING(name) using ::name;
namespace std {
WARPGRIND_STD_UNARY(WARPGRIND_USING)
WARPGRIND_STD_BINARY(WARPGRIND_USING)
using ::abs;
using ::ceil;
using ::copysign;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::frexp;
using ::ilogb;
using ::labs;
using ::ldexp;
using ::llabs;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::remquo;
using ::rint;
using ::scalbln;
using ::scalbn;
using ::sqrt;
using ::trunc;
} // namespace std

/* ---- min and max, on both sides, as CUDA has them ---- */

#define WARPGRIND_MIN_MAX(T)                                                                                 \
    __WARPGRIND_BOTH__ T min(T x, T y) {                                                                     \
        return y < x ? y : x;                                                                                \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T max(T x, T y) {                                                                     \
        return x < y ? y : x;                                                                                \
    }
WARPGRIND_MIN_MAX(int)
WARPGRIND_MIN_MAX(unsigned int)
WARPGRIND_MIN_MAX(long int)
WARPGRIND_MIN_MAX(unsigned long int)
WARPGRIND_MIN_MAX(long long int)
WARPGRIND_MIN_MAX(unsigned long long int)
/* Mixed signs compare as unsigned, as the C operators do. */
#define WARPGRIND_MIN_MAX_MIXED(T, U, Common)                                                                \
    __WARPGRIND_BOTH__ Common min(T x, U y) {                                                                \
        return min((Common)x, (Common)y);                                                                    \
    }                                                                                                        \
    __WARPGRIND_BOTH__ Common max(T x, U y) {                                                                \
        return max((Common)x, (Common)y);                                                                    \
    }
WARPGRIND_MIN_MAX_MIXED(int, unsigned int, unsigned int)
WARPGRIND_MIN_MAX_MIXED(unsigned int, int, unsigned int)
WARPGRIND_MIN_MAX_MIXED(long int, unsigned long int, unsigned long int)
WARPGRIND_MIN_MAX_MIXED(unsigned long int, long int, unsigned long int)
WARPGRIND_MIN_MAX_MIXED(long long int, unsigned long long int, unsigned long long int)
WARPGRIND_MIN_MAX_MIXED(unsigned long long int, long long int, unsigned long long int)
/* Of a number and NaN, the number. */
#define WARPGRIND_MIN_MAX_REAL(T, U, Common, f)                                                              \
    __WARPGRIND_BOTH__ Common min(T x, U y) {                                                                \
        return __builtin_isnan(x) || (Common)y < (Common)x ? y : x;                                          \
    }                                                                                                        \
    __WARPGRIND_BOTH__ Common max(T x, U y) {                                                                \
        return __builtin_isnan(x) || (Common)x < (Common)y ? y : x;                                          \
    }
WARPGRIND_MIN_MAX_REAL(float, float, float, f)
WARPGRIND_MIN_MAX_REAL(double, double, double, )
WARPGRIND_MIN_MAX_REAL(float, double, double, )
WARPGRIND_MIN_MAX_REAL(double, float, double, )

/* The same under names that say the type. */
#define WARPGRIND_MIN_MAX_NAMED(prefix, T)                                                                   \
    __WARPGRIND_BOTH__ T prefix##min(T x, T y) {                                                             \
        return min(x, y);                                                                                    \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T prefix##max(T x, T y) {                                                             \
        return max(x, y);                                                                                    \
    }
WARPGRIND_MIN_MAX_NAMED(u, unsigned int)
WARPGRIND_MIN_MAX_NAMED(ll, long long int)
WARPGRIND_MIN_MAX_NAMED(ull, unsigned long long int)
#undef WARPGRIND_MIN_MAX_NAMED

#undef WARPGRIND_SPELLINGS
#undef WARPGRIND_BUILTIN
#undef WARPGRIND_TO_INT
#undef WARPGRIND_THROUGH_POINTERS
#undef WARPGRIND_OF_INTEGER
#undef WARPGRIND_OF_INTEGER_UNARY
#undef WARPGRIND_FAST
#undef WARPGRIND_USING
#undef WARPGRIND_MIN_MAX
#undef WARPGRIND_MIN_MAX_MIXED
#undef WARPGRIND_MIN_MAX_REAL

#endif
