/* math_functions.h - CUDA's mathematical functions in device code.
 *
 * Three kinds of rows: functions that are one PTX instruction (clang's builtins), functions that the machine
 * computes
 * (__nv_NAME, see gpu/library.def), and functions made of others. Each exists as NAME(double), NAMEf(float)
 * and, as C++ has it, NAME(float), in the global namespace and in std where std has the name. Source: CUDA
 * Math API; CUDA C++ Programming Guide, Mathematical Functions.
 */
#ifndef WARPGRIND_MATH_FUNCTIONS_H
#define WARPGRIND_MATH_FUNCTIONS_H

#include "host_defines.h"

/* ---- computed by the machine: float and double, one to three arguments ---- */

#define WARPGRIND_STD_UNARY(ROW)                                                                             \
    ROW(acos)                                                                                                \
    ROW(acosh) ROW(asin) ROW(asinh) ROW(atan) ROW(atanh) ROW(cbrt) ROW(cos) ROW(cosh) ROW(erf) ROW(erfc)     \
        ROW(exp) ROW(exp2) ROW(expm1) ROW(lgamma) ROW(log) ROW(log10) ROW(log1p) ROW(log2) ROW(logb)         \
            ROW(nearbyint) ROW(rint) ROW(round) ROW(sin) ROW(sinh) ROW(tan) ROW(tanh) ROW(tgamma) ROW(ceil)  \
                ROW(fabs) ROW(floor) ROW(sqrt) ROW(trunc)

#define WARPGRIND_STD_BINARY(ROW)                                                                            \
    ROW(atan2)                                                                                               \
    ROW(copysign) ROW(fdim) ROW(fmax) ROW(fmin) ROW(fmod) ROW(hypot) ROW(nextafter) ROW(pow) ROW(remainder)

/* CUDA's own: no host function of that name (the Bessel functions have one, but not in std). */
#define WARPGRIND_CUDA_UNARY(ROW)                                                                            \
    ROW(cospi)                                                                                               \
    ROW(cyl_bessel_i0) ROW(cyl_bessel_i1) ROW(erfcinv) ROW(erfcx) ROW(erfinv) ROW(exp10) ROW(j0) ROW(j1)     \
        ROW(normcdf) ROW(normcdfinv) ROW(rcbrt) ROW(rsqrt) ROW(sinpi) ROW(tanpi) ROW(y0) ROW(y1)

#define WARPGRIND_MATH static __device__ __inline__ __attribute__((always_inline, nodebug, unused))

#define WARPGRIND_UNARY(name)                                                                                \
    extern "C" __device__ double __nv_##name(double);                                                        \
    extern "C" __device__ float __nv_##name##f(float);                                                       \
    WARPGRIND_MATH double name(double x) {                                                                   \
        return __nv_##name(x);                                                                               \
    }                                                                                                        \
    WARPGRIND_MATH float name##f(float x) {                                                                  \
        return __nv_##name##f(x);                                                                            \
    }                                                                                                        \
    WARPGRIND_MATH float name(float x) {                                                                     \
        return __nv_##name##f(x);                                                                            \
    }

#define WARPGRIND_BINARY(name)                                                                               \
    extern "C" __device__ double __nv_##name(double, double);                                                \
    extern "C" __device__ float __nv_##name##f(float, float);                                                \
    WARPGRIND_MATH double name(double x, double y) {                                                         \
        return __nv_##name(x, y);                                                                            \
    }                                                                                                        \
    WARPGRIND_MATH float name##f(float x, float y) {                                                         \
        return __nv_##name##f(x, y);                                                                         \
    }                                                                                                        \
    WARPGRIND_MATH float name(float x, float y) {                                                            \
        return __nv_##name##f(x, y);                                                                         \
    }

#ifdef __cplusplus
WARPGRIND_STD_UNARY(WARPGRIND_UNARY)
WARPGRIND_STD_BINARY(WARPGRIND_BINARY)
WARPGRIND_CUDA_UNARY(WARPGRIND_UNARY)
#endif

#define WARPGRIND_USING(name) using ::name;
#define WARPGRIND_USING_BOTH(name)                                                                           \
    using ::name;                                                                                            \
    using ::name##f;

namespace std {
WARPGRIND_STD_UNARY(WARPGRIND_USING)
WARPGRIND_STD_BINARY(WARPGRIND_USING)
} // namespace std

#endif
