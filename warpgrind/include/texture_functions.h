/* texture_functions.h - reading through texture objects: tex1D, tex2D, tex3D, layers and gathers.
 *
 * One function is one instruction, chosen by the element's type: texels of integers come back in integer
 * registers, all others as floats. Level of detail and derivatives have an effect where the object reads a
 * mipmapped array. Source: CUDA C++ Programming Guide, Texture Functions;
 * PTX ISA 9.7.10.
 */
#ifndef WARPGRIND_TEXTURE_FUNCTIONS_H
#define WARPGRIND_TEXTURE_FUNCTIONS_H

#include "driver_types.h"
#include "host_defines.h"

enum { __warpgrind_of_floats = 'f', __warpgrind_of_signed = 's', __warpgrind_of_unsigned = 'u' };

/* From the four registers of a fetch to an element: its kind and its components. */
template <typename T> struct __warpgrind_texel;
#define WARPGRIND_TEXEL(type, texels, ...)                                                                   \
    template <> struct __warpgrind_texel<type> {                                                             \
        static const int kind = texels;                                                                      \
        template <typename V> static __WARPGRIND_INLINE__ __device__ type make(const V *v) {                 \
            return __VA_ARGS__;                                                                              \
        }                                                                                                    \
    };
#define WARPGRIND_TEXELS(base, element, texels)                                                              \
    WARPGRIND_TEXEL(element, texels, (element)v[0])                                                          \
    WARPGRIND_TEXEL(base##1, texels, make_##base##1((element)v[0]))                                          \
    WARPGRIND_TEXEL(base##2, texels, make_##base##2((element)v[0], (element)v[1]))                           \
    WARPGRIND_TEXEL(base##4, texels,                                                                         \
                    make_##base##4((element)v[0], (element)v[1], (element)v[2], (element)v[3]))
WARPGRIND_TEXELS(char, signed char, __warpgrind_of_signed)
WARPGRIND_TEXELS(uchar, unsigned char, __warpgrind_of_unsigned)
WARPGRIND_TEXELS(short, short, __warpgrind_of_signed)
WARPGRIND_TEXELS(ushort, unsigned short, __warpgrind_of_unsigned)
WARPGRIND_TEXELS(int, int, __warpgrind_of_signed)
WARPGRIND_TEXELS(uint, unsigned int, __warpgrind_of_unsigned)
WARPGRIND_TEXELS(float, float, __warpgrind_of_floats)
WARPGRIND_TEXEL(char, __warpgrind_of_signed, (char)v[0])
#undef WARPGRIND_TEXELS
#undef WARPGRIND_TEXEL

/* One function template for each shape: the instruction's words before and after the result's type, and the
 * coordinates. */
#define WARPGRIND_FETCH(name, parameters, before, after, at, ...)                                            \
    template <typename T> static __WARPGRIND_INLINE__ __device__ T name parameters {                         \
        if constexpr (__warpgrind_texel<T>::kind == __warpgrind_of_floats) {                                 \
            float v[4];                                                                                      \
            asm volatile(before ".v4.f32" after " {%0, %1, %2, %3}, [%4, " at ";"                            \
                         : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])                                    \
                         : "l"(texObject), __VA_ARGS__);                                                     \
            return __warpgrind_texel<T>::make(v);                                                            \
        } else if constexpr (__warpgrind_texel<T>::kind == __warpgrind_of_signed) {                          \
            int v[4];                                                                                        \
            asm volatile(before ".v4.s32" after " {%0, %1, %2, %3}, [%4, " at ";"                            \
                         : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                                    \
                         : "l"(texObject), __VA_ARGS__);                                                     \
            return __warpgrind_texel<T>::make(v);                                                            \
        } else {                                                                                             \
            unsigned int v[4];                                                                               \
            asm volatile(before ".v4.u32" after " {%0, %1, %2, %3}, [%4, " at ";"                            \
                         : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                                    \
                         : "l"(texObject), __VA_ARGS__);                                                     \
            return __warpgrind_texel<T>::make(v);                                                            \
        }                                                                                                    \
    }                                                                                                        \
    WARPGRIND_FETCH_TO(name)

/* The older forms write through a pointer: name(&value, object, ...). */
#define WARPGRIND_FETCH_TO(name)                                                                             \
    template <typename T, typename... At>                                                                    \
    static __WARPGRIND_INLINE__ __device__ void name(T *value, cudaTextureObject_t texObject, At... at) {    \
        *value = name<T>(texObject, at...);                                                                  \
    }

WARPGRIND_FETCH(tex1Dfetch, (cudaTextureObject_t texObject, int x), "tex.1d", ".s32", "{%5}]", "r"(x))
WARPGRIND_FETCH(tex1D, (cudaTextureObject_t texObject, float x), "tex.1d", ".f32", "{%5}]", "f"(x))
WARPGRIND_FETCH(tex2D, (cudaTextureObject_t texObject, float x, float y), "tex.2d", ".f32", "{%5, %6}]",
                "f"(x), "f"(y))
WARPGRIND_FETCH(tex3D, (cudaTextureObject_t texObject, float x, float y, float z), "tex.3d", ".f32",
                "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z))
WARPGRIND_FETCH(texCubemap, (cudaTextureObject_t texObject, float x, float y, float z), "tex.cube", ".f32",
                "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z))
WARPGRIND_FETCH(tex1DLayered, (cudaTextureObject_t texObject, float x, int layer), "tex.a1d", ".f32",
                "{%6, %5}]", "f"(x), "r"(layer))
WARPGRIND_FETCH(tex2DLayered, (cudaTextureObject_t texObject, float x, float y, int layer), "tex.a2d", ".f32",
                "{%7, %5, %6, %6}]", "f"(x), "f"(y), "r"(layer))
WARPGRIND_FETCH(texCubemapLayered, (cudaTextureObject_t texObject, float x, float y, float z, int layer),
                "tex.acube", ".f32", "{%8, %5, %6, %7}]", "f"(x), "f"(y), "f"(z), "r"(layer))

/* At a level of detail of the caller's choice. */
WARPGRIND_FETCH(tex1DLod, (cudaTextureObject_t texObject, float x, float level), "tex.level.1d", ".f32",
                "{%5}], %6", "f"(x), "f"(level))
WARPGRIND_FETCH(tex2DLod, (cudaTextureObject_t texObject, float x, float y, float level), "tex.level.2d",
                ".f32", "{%5, %6}], %7", "f"(x), "f"(y), "f"(level))
WARPGRIND_FETCH(tex3DLod, (cudaTextureObject_t texObject, float x, float y, float z, float level),
                "tex.level.3d", ".f32", "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
WARPGRIND_FETCH(texCubemapLod, (cudaTextureObject_t texObject, float x, float y, float z, float level),
                "tex.level.cube", ".f32", "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
WARPGRIND_FETCH(tex1DLayeredLod, (cudaTextureObject_t texObject, float x, int layer, float level),
                "tex.level.a1d", ".f32", "{%6, %5}], %7", "f"(x), "r"(layer), "f"(level))
WARPGRIND_FETCH(tex2DLayeredLod, (cudaTextureObject_t texObject, float x, float y, int layer, float level),
                "tex.level.a2d", ".f32", "{%7, %5, %6, %6}], %8", "f"(x), "f"(y), "r"(layer), "f"(level))
WARPGRIND_FETCH(texCubemapLayeredLod,
                (cudaTextureObject_t texObject, float x, float y, float z, int layer, float level),
                "tex.level.acube", ".f32", "{%8, %5, %6, %7}], %9", "f"(x), "f"(y), "f"(z), "r"(layer),
                "f"(level))

/* With the derivatives from which the level follows. */
WARPGRIND_FETCH(tex1DGrad, (cudaTextureObject_t texObject, float x, float dPdx, float dPdy), "tex.grad.1d",
                ".f32", "{%5}], {%6}, {%7}", "f"(x), "f"(dPdx), "f"(dPdy))
WARPGRIND_FETCH(tex2DGrad, (cudaTextureObject_t texObject, float x, float y, float2 dPdx, float2 dPdy),
                "tex.grad.2d", ".f32", "{%5, %6}], {%7, %8}, {%9, %10}", "f"(x), "f"(y), "f"(dPdx.x),
                "f"(dPdx.y), "f"(dPdy.x), "f"(dPdy.y))
WARPGRIND_FETCH(tex3DGrad,
                (cudaTextureObject_t texObject, float x, float y, float z, float4 dPdx, float4 dPdy),
                "tex.grad.3d", ".f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x),
                "f"(y), "f"(z), "f"(dPdx.x), "f"(dPdx.y), "f"(dPdx.z), "f"(dPdy.x), "f"(dPdy.y), "f"(dPdy.z))
WARPGRIND_FETCH(tex1DLayeredGrad, (cudaTextureObject_t texObject, float x, int layer, float dPdx, float dPdy),
                "tex.grad.a1d", ".f32", "{%6, %5}], {%7}, {%8}", "f"(x), "r"(layer), "f"(dPdx), "f"(dPdy))
WARPGRIND_FETCH(tex2DLayeredGrad,
                (cudaTextureObject_t texObject, float x, float y, int layer, float2 dPdx, float2 dPdy),
                "tex.grad.a2d", ".f32", "{%7, %5, %6, %6}], {%8, %9}, {%10, %11}", "f"(x), "f"(y), "r"(layer),
                "f"(dPdx.x), "f"(dPdx.y), "f"(dPdy.x), "f"(dPdy.y))

WARPGRIND_FETCH(__warpgrind_gather_r, (cudaTextureObject_t texObject, float x, float y), "tld4.r.2d", ".f32",
                "{%5, %6}]", "f"(x), "f"(y))
WARPGRIND_FETCH(__warpgrind_gather_g, (cudaTextureObject_t texObject, float x, float y), "tld4.g.2d", ".f32",
                "{%5, %6}]", "f"(x), "f"(y))
WARPGRIND_FETCH(__warpgrind_gather_b, (cudaTextureObject_t texObject, float x, float y), "tld4.b.2d", ".f32",
                "{%5, %6}]", "f"(x), "f"(y))
WARPGRIND_FETCH(__warpgrind_gather_a, (cudaTextureObject_t texObject, float x, float y), "tld4.a.2d", ".f32",
                "{%5, %6}]", "f"(x), "f"(y))
template <typename T>
static __WARPGRIND_INLINE__ __device__ T tex2Dgather(cudaTextureObject_t texObject, float x, float y,
                                                     int comp = 0) {
    return comp == 1   ? __warpgrind_gather_g<T>(texObject, x, y)
           : comp == 2 ? __warpgrind_gather_b<T>(texObject, x, y)
           : comp == 3 ? __warpgrind_gather_a<T>(texObject, x, y)
                       : __warpgrind_gather_r<T>(texObject, x, y);
}

#undef WARPGRIND_FETCH
#undef WARPGRIND_FETCH_TO

#endif
