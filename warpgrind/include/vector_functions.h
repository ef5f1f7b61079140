/* vector_functions.h - make_float4 and its kin, for host and device. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define WARPGRIND_MAKE_VECTORS(name, element, align2, align4)                                                \
    __WARPGRIND_BOTH__ name##1 make_##name##1(element x) {                                                   \
        name##1 v = {x};                                                                                     \
        return v;                                                                                            \
    }                                                                                                        \
    __WARPGRIND_BOTH__ name##2 make_##name##2(element x, element y) {                                        \
        name##2 v = {x, y};                                                                                  \
        return v;                                                                                            \
    }                                                                                                        \
    __WARPGRIND_BOTH__ name##3 make_##name##3(element x, element y, element z) {                             \
        name##3 v = {x, y, z};                                                                               \
        return v;                                                                                            \
    }                                                                                                        \
    __WARPGRIND_BOTH__ name##4 make_##name##4(element x, element y, element z, element w) {                  \
        name##4 v = {x, y, z, w};                                                                            \
        return v;                                                                                            \
    }

WARPGRIND_VECTOR_ROWS(WARPGRIND_MAKE_VECTORS)
#undef WARPGRIND_MAKE_VECTORS

#endif
