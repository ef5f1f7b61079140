/* vector_types.h - char1 ... double4 and dim3.
 *
 * One row is a base type with the alignments of its vectors of 2 and of 4; those of 1 and 3 are aligned like
 * one element. Source: CUDA C++ Programming Guide, Built-in Vector Types.
 */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define WARPGRIND_VECTOR_ROWS(ROW)                                                                           \
    ROW(char, signed char, 2, 4)                                                                             \
    ROW(uchar, unsigned char, 2, 4)                                                                          \
    ROW(short, short, 4, 8)                                                                                  \
    ROW(ushort, unsigned short, 4, 8)                                                                        \
    ROW(int, int, 8, 16)                                                                                     \
    ROW(uint, unsigned int, 8, 16)                                                                           \
    ROW(long, long int, 16, 16)                                                                              \
    ROW(ulong, unsigned long int, 16, 16)                                                                    \
    ROW(longlong, long long int, 16, 16)                                                                     \
    ROW(ulonglong, unsigned long long int, 16, 16)                                                           \
    ROW(float, float, 8, 16)                                                                                 \
    ROW(double, double, 16, 16)

#define WARPGRIND_DECLARE_VECTORS(name, element, align2, align4)                                             \
    struct name##1 {                                                                                         \
        element x;                                                                                           \
    };                                                                                                       \
    struct __align__(align2) name##2 {                                                                       \
        element x, y;                                                                                        \
    };                                                                                                       \
    struct name##3 {                                                                                         \
        element x, y, z;                                                                                     \
    };                                                                                                       \
    struct __align__(align4) name##4 {                                                                       \
        element x, y, z, w;                                                                                  \
    };                                                                                                       \
    typedef struct name##1 name##1;                                                                          \
    typedef struct name##2 name##2;                                                                          \
    typedef struct name##3 name##3;                                                                          \
    typedef struct name##4 name##4;

WARPGRIND_VECTOR_ROWS(WARPGRIND_DECLARE_VECTORS)
#undef WARPGRIND_DECLARE_VECTORS

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    __host__ __device__ __WARPGRIND_INLINE__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                                            unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ __WARPGRIND_INLINE__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ __WARPGRIND_INLINE__ constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#endif
