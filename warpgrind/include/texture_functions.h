/* texture_functions.h - reading through texture objects: tex1D, tex2D, tex3D, layers and gathers.
 *
 * One function is one instruction, chosen by the element's type: texels of integers come back in integer
 * registers, all others as floats. What the object does not ask for (level of detail, derivatives) has no
 * effect, as arrays with mipmaps are not supported. Source: CUDA C++ Programming Guide, Texture Functions;
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
            asm volatile(before ".v4.f32" after " {%0, %1, %2, %3}, [%4, " at "];"                           \
                         : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])                                    \
                         : "l"(texObject), __VA_ARGS__);                                                     \
            return __warpgrind_texel<T>::make(v);                                                            \
        } else if constexpr (__warpgrind_texel<T>::kind == __warpgrind_of_signed) {                          \
            int v[4];                                                                                        \
            asm volatile(before ".v4.s32" after " {%0, %1, %2, %3}, [%4, " at "];"                           \
                         : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])                                    \
                         : "l"(texObject), __VA_ARGS__);                                                     \
            return __warpgrind_texel<T>::make(v);                                                            \
        } else {                                                                                             \
            unsigned int v[4];                                                                               \
            asm volatile(before ".v4.u32" after " {%0, %1, %2, %3}, [%4, " at "];"                           \
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

WARPGRIND_FETCH(tex1Dfetch, (cudaTextureObject_t texObject, int x), "tex.1d", ".s32", "{%5}", "r"(x))
WARPGRIND_FETCH(tex1D, (cudaTextureObject_t texObject, float x), "tex.1d", ".f32", "{%5}", "f"(x))
WARPGRIND_FETCH(tex2D, (cudaTextureObject_t texObject, float x, float y), "tex.2d", ".f32", "{%5, %6}",
                "f"(x), "f"(y))
WARPGRIND_FETCH(tex3D, (cudaTextureObject_t texObject, float x, float y, float z), "tex.3d", ".f32",
                "{%5, %6, %7, %7}", "f"(x), "f"(y), "f"(z))
WARPGRIND_FETCH(tex1DLayered, (cudaTextureObject_t texObject, float x, int layer), "tex.a1d", ".f32",
                "{%6, %5}", "f"(x), "r"(layer))
WARPGRIND_FETCH(tex2DLayered, (cudaTextureObject_t texObject, float x, float y, int layer), "tex.a2d", ".f32",
                "{%7, %5, %6, %6}", "f"(x), "f"(y), "r"(layer))

/* Without mipmaps the level and the derivatives choose nothing. */
#define WARPGRIND_SAME(name, plain, parameters, ...)                                                         \
    template <typename T> static __WARPGRIND_INLINE__ __device__ T name parameters {                         \
        return plain<T>(texObject, __VA_ARGS__);                                                             \
    }
WARPGRIND_SAME(tex1DLod, tex1D, (cudaTextureObject_t texObject, float x, float), x)
WARPGRIND_SAME(tex2DLod, tex2D, (cudaTextureObject_t texObject, float x, float y, float), x, y)
WARPGRIND_SAME(tex3DLod, tex3D, (cudaTextureObject_t texObject, float x, float y, float z, float), x, y, z)
WARPGRIND_SAME(tex1DLayeredLod, tex1DLayered, (cudaTextureObject_t texObject, float x, int layer, float), x,
               layer)
WARPGRIND_SAME(tex2DLayeredLod, tex2DLayered,
               (cudaTextureObject_t texObject, float x, float y, int layer, float), x, y, layer)
WARPGRIND_SAME(tex1DGrad, tex1D, (cudaTextureObject_t texObject, float x, float, float), x)
WARPGRIND_SAME(tex2DGrad, tex2D, (cudaTextureObject_t texObject, float x, float y, float2, float2), x, y)
WARPGRIND_SAME(tex3DGrad, tex3D, (cudaTextureObject_t texObject, float x, float y, float z, float4, float4),
               x, y, z)

WARPGRIND_FETCH(__warpgrind_gather_r, (cudaTextureObject_t texObject, float x, float y), "tld4.r.2d", ".f32",
                "{%5, %6}", "f"(x), "f"(y))
WARPGRIND_FETCH(__warpgrind_gather_g, (cudaTextureObject_t texObject, float x, float y), "tld4.g.2d", ".f32",
                "{%5, %6}", "f"(x), "f"(y))
WARPGRIND_FETCH(__warpgrind_gather_b, (cudaTextureObject_t texObject, float x, float y), "tld4.b.2d", ".f32",
                "{%5, %6}", "f"(x), "f"(y))
WARPGRIND_FETCH(__warpgrind_gather_a, (cudaTextureObject_t texObject, float x, float y), "tld4.a.2d", ".f32",
                "{%5, %6}", "f"(x), "f"(y))
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
#undef WARPGRIND_SAME

#endif
