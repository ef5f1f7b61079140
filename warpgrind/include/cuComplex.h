/* cuComplex.h - complex numbers as pairs of floats or doubles, on both sides. Also valid C.
 *
 * Quotient and absolute value scale first, so that nothing overflows on the way that fits in the end.
 */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "vector_types.h"
#include <math.h>

typedef float2 cuFloatComplex, cuComplex;
typedef double2 cuDoubleComplex;

/* All functions of one precision: names end in `f` for floats. */
#define WARPGRIND_COMPLEX(T, V, f, make)                                                                     \
    __WARPGRIND_BOTH__ T cuCreal##f(V x) {                                                                   \
        return x.x;                                                                                          \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T cuCimag##f(V x) {                                                                   \
        return x.y;                                                                                          \
    }                                                                                                        \
    __WARPGRIND_BOTH__ V make(T r, T i) {                                                                    \
        V z;                                                                                                 \
        z.x = r;                                                                                             \
        z.y = i;                                                                                             \
        return z;                                                                                            \
    }                                                                                                        \
    __WARPGRIND_BOTH__ V cuConj##f(V x) {                                                                    \
        return make(x.x, -x.y);                                                                              \
    }                                                                                                        \
    __WARPGRIND_BOTH__ V cuCadd##f(V x, V y) {                                                               \
        return make(x.x + y.x, x.y + y.y);                                                                   \
    }                                                                                                        \
    __WARPGRIND_BOTH__ V cuCsub##f(V x, V y) {                                                               \
        return make(x.x - y.x, x.y - y.y);                                                                   \
    }                                                                                                        \
    __WARPGRIND_BOTH__ V cuCmul##f(V x, V y) {                                                               \
        return make(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                           \
    }                                                                                                        \
    __WARPGRIND_BOTH__ V cuCdiv##f(V x, V y) {                                                               \
        T scale = fabs##f(y.x) + fabs##f(y.y), one = 1 / scale;                                              \
        T a = x.x * one, b = x.y * one, c = y.x * one, d = y.y * one;                                        \
        T inverse = 1 / (c * c + d * d);                                                                     \
        return make((a * c + b * d) * inverse, (b * c - a * d) * inverse);                                   \
    }                                                                                                        \
    __WARPGRIND_BOTH__ T cuCabs##f(V x) {                                                                    \
        return hypot##f(x.x, x.y);                                                                           \
    }                                                                                                        \
    __WARPGRIND_BOTH__ V cuCfma##f(V x, V y, V d) {                                                          \
        return make(x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x);                               \
    }
WARPGRIND_COMPLEX(float, cuFloatComplex, f, make_cuFloatComplex)
WARPGRIND_COMPLEX(double, cuDoubleComplex, , make_cuDoubleComplex)
#undef WARPGRIND_COMPLEX

__WARPGRIND_BOTH__ cuComplex make_cuComplex(float x, float y) {
    return make_cuFloatComplex(x, y);
}
__WARPGRIND_BOTH__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) {
    return make_cuDoubleComplex((double)c.x, (double)c.y);
}
__WARPGRIND_BOTH__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) {
    return make_cuFloatComplex((float)c.x, (float)c.y);
}

#endif
