/* surface_functions.h - reading and writing CUDA arrays through surface objects; x counts bytes.
 *
 * One function is one instruction, chosen by the element's size and the mode for what lies outside.
 * Source: CUDA C++ Programming Guide, Surface Functions; PTX ISA 9.7.11.
 */
#ifndef WARPGRIND_SURFACE_FUNCTIONS_H
#define WARPGRIND_SURFACE_FUNCTIONS_H

#include "driver_types.h"
#include "host_defines.h"

/* An element travels in up to four registers, %0 to %3; the object is %4, the coordinates are %5 to %7. */
#define WARPGRIND_SURFACE_READ(shape, at, mode, ...)                                                         \
    if constexpr (sizeof(T) == 16) {                                                                         \
        asm volatile("suld.b." shape ".v4.b32." mode " {%0, %1, %2, %3}, [%4, " at "];"                      \
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                                        \
                     : "l"(surfObject), __VA_ARGS__                                                          \
                     : "memory");                                                                            \
    } else if constexpr (sizeof(T) == 8) {                                                                   \
        asm volatile("suld.b." shape ".v2.b32." mode " {%0, %1}, [%4, " at "];"                              \
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                                        \
                     : "l"(surfObject), __VA_ARGS__                                                          \
                     : "memory");                                                                            \
    } else if constexpr (sizeof(T) == 4) {                                                                   \
        asm volatile("suld.b." shape ".b32." mode " {%0}, [%4, " at "];"                                     \
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                                        \
                     : "l"(surfObject), __VA_ARGS__                                                          \
                     : "memory");                                                                            \
    } else if constexpr (sizeof(T) == 2) {                                                                   \
        asm volatile("{\n\t.reg .b16 t;\n\tsuld.b." shape ".b16." mode " {t}, [%4, " at                      \
                     "];\n\tcvt.u32.u16 %0, t;\n\t}"                                                         \
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                                        \
                     : "l"(surfObject), __VA_ARGS__                                                          \
                     : "memory");                                                                            \
    } else {                                                                                                 \
        asm volatile("{\n\t.reg .b16 t;\n\tsuld.b." shape ".b8." mode " {t}, [%4, " at                       \
                     "];\n\tcvt.u32.u16 %0, t;\n\t}"                                                         \
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                                        \
                     : "l"(surfObject), __VA_ARGS__                                                          \
                     : "memory");                                                                            \
    }

#define WARPGRIND_SURFACE_STORE(shape, at, mode, ...)                                                        \
    if constexpr (sizeof(T) == 16) {                                                                         \
        asm volatile("sust.b." shape ".v4.b32." mode " [%4, " at "], {%0, %1, %2, %3};" ::"r"(v[0]),         \
                     "r"(v[1]), "r"(v[2]), "r"(v[3]), "l"(surfObject), __VA_ARGS__                           \
                     : "memory");                                                                            \
    } else if constexpr (sizeof(T) == 8) {                                                                   \
        asm volatile("sust.b." shape ".v2.b32." mode " [%4, " at "], {%0, %1};" ::"r"(v[0]), "r"(v[1]),      \
                     "r"(v[2]), "r"(v[3]), "l"(surfObject), __VA_ARGS__                                      \
                     : "memory");                                                                            \
    } else if constexpr (sizeof(T) == 4) {                                                                   \
        asm volatile("sust.b." shape ".b32." mode " [%4, " at "], {%0};" ::"r"(v[0]), "r"(v[1]), "r"(v[2]),  \
                     "r"(v[3]), "l"(surfObject), __VA_ARGS__                                                 \
                     : "memory");                                                                            \
    } else if constexpr (sizeof(T) == 2) {                                                                   \
        asm volatile("{\n\t.reg .b16 t;\n\tcvt.u16.u32 t, %0;\n\tsust.b." shape ".b16." mode " [%4, " at     \
                     "], {t};\n\t}" ::"r"(v[0]),                                                             \
                     "r"(v[1]), "r"(v[2]), "r"(v[3]), "l"(surfObject), __VA_ARGS__                           \
                     : "memory");                                                                            \
    } else {                                                                                                 \
        asm volatile("{\n\t.reg .b16 t;\n\tcvt.u16.u32 t, %0;\n\tsust.b." shape ".b8." mode " [%4, " at      \
                     "], {t};\n\t}" ::"r"(v[0]),                                                             \
                     "r"(v[1]), "r"(v[2]), "r"(v[3]), "l"(surfObject), __VA_ARGS__                           \
                     : "memory");                                                                            \
    }

/* For each of the three modes an instruction of its own. */
#define WARPGRIND_BY_MODE(action, shape, at, ...)                                                            \
    if (boundaryMode == cudaBoundaryModeZero) {                                                              \
        action(shape, at, "zero", __VA_ARGS__)                                                               \
    } else if (boundaryMode == cudaBoundaryModeClamp) {                                                      \
        action(shape, at, "clamp", __VA_ARGS__)                                                              \
    } else {                                                                                                 \
        action(shape, at, "trap", __VA_ARGS__)                                                               \
    }

#define WARPGRIND_UNPACK(...) __VA_ARGS__

/* read and write names, their coordinates as parameters, as arguments, and in asm. */
#define WARPGRIND_SURFACE(name, shape, parameters, arguments, at, ...)                                       \
    template <typename T>                                                                                    \
    static __WARPGRIND_INLINE__ __device__ T name##read(                                                     \
        cudaSurfaceObject_t surfObject, WARPGRIND_UNPACK parameters,                                         \
        cudaSurfaceBoundaryMode boundaryMode = cudaBoundaryModeTrap) {                                       \
        unsigned int v[4] = {0, 0, 0, 0};                                                                    \
        T value;                                                                                             \
        WARPGRIND_BY_MODE(WARPGRIND_SURFACE_READ, shape, at, __VA_ARGS__)                                    \
        __builtin_memcpy(&value, v, sizeof value);                                                           \
        return value;                                                                                        \
    }                                                                                                        \
    template <typename T>                                                                                    \
    static __WARPGRIND_INLINE__ __device__ void name##read(                                                  \
        T *data, cudaSurfaceObject_t surfObject, WARPGRIND_UNPACK parameters,                                \
        cudaSurfaceBoundaryMode boundaryMode = cudaBoundaryModeTrap) {                                       \
        *data = name##read<T>(surfObject, WARPGRIND_UNPACK arguments, boundaryMode);                         \
    }                                                                                                        \
    template <typename T>                                                                                    \
    static __WARPGRIND_INLINE__ __device__ void name##write(                                                 \
        T data, cudaSurfaceObject_t surfObject, WARPGRIND_UNPACK parameters,                                 \
        cudaSurfaceBoundaryMode boundaryMode = cudaBoundaryModeTrap) {                                       \
        unsigned int v[4] = {0, 0, 0, 0};                                                                    \
        __builtin_memcpy(v, &data, sizeof data);                                                             \
        WARPGRIND_BY_MODE(WARPGRIND_SURFACE_STORE, shape, at, __VA_ARGS__)                                   \
    }

WARPGRIND_SURFACE(surf1D, "1d", (int x), (x), "{%5}", "r"(x))
WARPGRIND_SURFACE(surf2D, "2d", (int x, int y), (x, y), "{%5, %6}", "r"(x), "r"(y))
WARPGRIND_SURFACE(surf3D, "3d", (int x, int y, int z), (x, y, z), "{%5, %6, %7, %7}", "r"(x), "r"(y), "r"(z))
WARPGRIND_SURFACE(surf1DLayered, "a1d", (int x, int layer), (x, layer), "{%6, %5}", "r"(x), "r"(layer))
WARPGRIND_SURFACE(surf2DLayered, "a2d", (int x, int y, int layer), (x, y, layer), "{%7, %5, %6, %6}", "r"(x),
                  "r"(y), "r"(layer))
/* The faces of cubes are layers. */
WARPGRIND_SURFACE(surfCubemap, "a2d", (int x, int y, int face), (x, y, face), "{%7, %5, %6, %6}", "r"(x),
                  "r"(y), "r"(face))
WARPGRIND_SURFACE(surfCubemapLayered, "a2d", (int x, int y, int layerFace), (x, y, layerFace),
                  "{%7, %5, %6, %6}", "r"(x), "r"(y), "r"(layerFace))

#undef WARPGRIND_SURFACE
#undef WARPGRIND_SURFACE_READ
#undef WARPGRIND_SURFACE_STORE
#undef WARPGRIND_BY_MODE
#undef WARPGRIND_UNPACK

#endif
