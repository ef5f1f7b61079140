/* texture_references.h - texture and surface references, which courses taught until CUDA 11: an object at
 * file scope that the host binds to memory and every kernel sees. warpcc includes this where a source has
 * `texture<` or `surface<`; in others the two names are the program's own.
 *
 * Clang makes a variable of such a type two: on the host what the struct says, on the device a handle. The
 * device functions pass its address to the functions of texture objects, and the machine looks up what is
 * bound there. Source: CUDA C++ Programming Guide 11, Texture Reference API.
 */
#ifndef WARPGRIND_TEXTURE_REFERENCES_H
#define WARPGRIND_TEXTURE_REFERENCES_H

#include "cuda_runtime.h"

template <typename T, int dim = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    __WARPGRIND_OLD(texture)
    texture(int norm = 0, enum cudaTextureFilterMode fMode = cudaFilterModePoint,
            enum cudaTextureAddressMode aMode = cudaAddressModeClamp,
            struct cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>())
        : textureReference() {
        normalized = norm;
        filterMode = fMode;
        addressMode[0] = addressMode[1] = addressMode[2] = aMode;
        channelDesc = desc;
    }
};

template <typename T = void, int dim = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
    __WARPGRIND_OLD(surface) surface() : surfaceReference() {}
};

/* ---- on the host: what is bound ---- */

#define WARPGRIND_OF_TEXTURE                                                                                 \
    template <typename T, int dim, enum cudaTextureReadMode mode>                                            \
    static __WARPGRIND_INLINE__ __attribute__((unused)) cudaError_t

WARPGRIND_OF_TEXTURE cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                                     const cudaChannelFormatDesc &desc, size_t size = UINT_MAX)
    __WARPGRIND_OLD(cudaBindTexture) {
    return ::cudaBindTexture(offset, (const textureReference *)&tex, devPtr, &desc, size);
}
WARPGRIND_OF_TEXTURE cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                                     size_t size = UINT_MAX) __WARPGRIND_OLD(cudaBindTexture) {
    return ::cudaBindTexture(offset, (const textureReference *)&tex, devPtr, &tex.channelDesc, size);
}
WARPGRIND_OF_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                                       const cudaChannelFormatDesc &desc, size_t width, size_t height,
                                       size_t pitch) __WARPGRIND_OLD(cudaBindTexture2D) {
    return ::cudaBindTexture2D(offset, (const textureReference *)&tex, devPtr, &desc, width, height, pitch);
}
WARPGRIND_OF_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
                                       size_t width, size_t height, size_t pitch)
    __WARPGRIND_OLD(cudaBindTexture2D) {
    return ::cudaBindTexture2D(offset, (const textureReference *)&tex, devPtr, &tex.channelDesc, width,
                               height, pitch);
}
WARPGRIND_OF_TEXTURE cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array,
                                            const cudaChannelFormatDesc &desc)
    __WARPGRIND_OLD(cudaBindTextureToArray) {
    return ::cudaBindTextureToArray((const textureReference *)&tex, array, &desc);
}
WARPGRIND_OF_TEXTURE cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array)
    __WARPGRIND_OLD(cudaBindTextureToArray) {
    return ::cudaBindTextureToArray((const textureReference *)&tex, array, &tex.channelDesc);
}
WARPGRIND_OF_TEXTURE cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &tex,
                                                     cudaMipmappedArray_const_t mipmappedArray,
                                                     const cudaChannelFormatDesc &desc)
    __WARPGRIND_OLD(cudaBindTextureToMipmappedArray) {
    return ::cudaBindTextureToMipmappedArray((const textureReference *)&tex, mipmappedArray, &desc);
}
WARPGRIND_OF_TEXTURE cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &tex,
                                                     cudaMipmappedArray_const_t mipmappedArray)
    __WARPGRIND_OLD(cudaBindTextureToMipmappedArray) {
    return ::cudaBindTextureToMipmappedArray((const textureReference *)&tex, mipmappedArray,
                                             &tex.channelDesc);
}
WARPGRIND_OF_TEXTURE cudaUnbindTexture(const texture<T, dim, mode> &tex) __WARPGRIND_OLD(cudaUnbindTexture) {
    return ::cudaUnbindTexture((const textureReference *)&tex);
}
WARPGRIND_OF_TEXTURE cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dim, mode> &tex)
    __WARPGRIND_OLD(cudaGetTextureAlignmentOffset) {
    return ::cudaGetTextureAlignmentOffset(offset, (const textureReference *)&tex);
}
WARPGRIND_OF_TEXTURE cudaGetTextureReference(const textureReference **texref,
                                             const texture<T, dim, mode> &tex)
    __WARPGRIND_OLD(cudaGetTextureReference) {
    return ::cudaGetTextureReference(texref, (const void *)&tex);
}
#undef WARPGRIND_OF_TEXTURE

#define WARPGRIND_OF_SURFACE                                                                                 \
    template <typename T, int dim> static __WARPGRIND_INLINE__ __attribute__((unused)) cudaError_t

WARPGRIND_OF_SURFACE cudaBindSurfaceToArray(const surface<T, dim> &surf, cudaArray_const_t array,
                                            const cudaChannelFormatDesc &desc)
    __WARPGRIND_OLD(cudaBindSurfaceToArray) {
    return ::cudaBindSurfaceToArray((const surfaceReference *)&surf, array, &desc);
}
WARPGRIND_OF_SURFACE cudaBindSurfaceToArray(const surface<T, dim> &surf, cudaArray_const_t array)
    __WARPGRIND_OLD(cudaBindSurfaceToArray) {
    cudaChannelFormatDesc desc;
    cudaError_t status = ::cudaGetChannelDesc(&desc, array);
    if (status != cudaSuccess) return status;
    return ::cudaBindSurfaceToArray((const surfaceReference *)&surf, array, &desc);
}
WARPGRIND_OF_SURFACE cudaGetSurfaceReference(const surfaceReference **surfref, const surface<T, dim> &surf)
    __WARPGRIND_OLD(cudaGetSurfaceReference) {
    return ::cudaGetSurfaceReference(surfref, (const void *)&surf);
}
#undef WARPGRIND_OF_SURFACE

/* ---- on the device: fetches ---- */

/* What a fetch gives: the element, or floats in its place. */
template <typename T, enum cudaTextureReadMode mode> struct __warpgrind_fetched { typedef T type; };
#define WARPGRIND_FETCHED(base, element)                                                                     \
    template <> struct __warpgrind_fetched<element, cudaReadModeNormalizedFloat> { typedef float type; };    \
    template <> struct __warpgrind_fetched<base##1, cudaReadModeNormalizedFloat> { typedef float1 type; };   \
    template <> struct __warpgrind_fetched<base##2, cudaReadModeNormalizedFloat> { typedef float2 type; };   \
    template <> struct __warpgrind_fetched<base##4, cudaReadModeNormalizedFloat> { typedef float4 type; };
WARPGRIND_FETCHED(char, signed char)
WARPGRIND_FETCHED(uchar, unsigned char)
WARPGRIND_FETCHED(short, short)
WARPGRIND_FETCHED(ushort, unsigned short)
template <> struct __warpgrind_fetched<char, cudaReadModeNormalizedFloat> { typedef float type; };
#undef WARPGRIND_FETCHED

#define WARPGRIND_REFERENCE_FETCH(name, shape)                                                               \
    template <typename T, enum cudaTextureReadMode mode, typename... At>                                     \
    static __WARPGRIND_INLINE__ __device__ typename __warpgrind_fetched<T, mode>::type name(                 \
        const texture<T, shape, mode> &reference, At... at) {                                                \
        return name<typename __warpgrind_fetched<T, mode>::type>((cudaTextureObject_t)&reference, at...);    \
    }
WARPGRIND_REFERENCE_FETCH(tex1Dfetch, cudaTextureType1D)
WARPGRIND_REFERENCE_FETCH(tex1D, cudaTextureType1D)
WARPGRIND_REFERENCE_FETCH(tex1DLod, cudaTextureType1D)
WARPGRIND_REFERENCE_FETCH(tex1DGrad, cudaTextureType1D)
WARPGRIND_REFERENCE_FETCH(tex2D, cudaTextureType2D)
WARPGRIND_REFERENCE_FETCH(tex2DLod, cudaTextureType2D)
WARPGRIND_REFERENCE_FETCH(tex2DGrad, cudaTextureType2D)
WARPGRIND_REFERENCE_FETCH(tex2Dgather, cudaTextureType2D)
WARPGRIND_REFERENCE_FETCH(tex3D, cudaTextureType3D)
WARPGRIND_REFERENCE_FETCH(tex3DLod, cudaTextureType3D)
WARPGRIND_REFERENCE_FETCH(tex3DGrad, cudaTextureType3D)
WARPGRIND_REFERENCE_FETCH(texCubemap, cudaTextureTypeCubemap)
WARPGRIND_REFERENCE_FETCH(texCubemapLod, cudaTextureTypeCubemap)
WARPGRIND_REFERENCE_FETCH(tex1DLayered, cudaTextureType1DLayered)
WARPGRIND_REFERENCE_FETCH(tex1DLayeredLod, cudaTextureType1DLayered)
WARPGRIND_REFERENCE_FETCH(tex1DLayeredGrad, cudaTextureType1DLayered)
WARPGRIND_REFERENCE_FETCH(tex2DLayered, cudaTextureType2DLayered)
WARPGRIND_REFERENCE_FETCH(tex2DLayeredLod, cudaTextureType2DLayered)
WARPGRIND_REFERENCE_FETCH(tex2DLayeredGrad, cudaTextureType2DLayered)
WARPGRIND_REFERENCE_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered)
WARPGRIND_REFERENCE_FETCH(texCubemapLayeredLod, cudaTextureTypeCubemapLayered)
#undef WARPGRIND_REFERENCE_FETCH

#define WARPGRIND_REFERENCE_SURFACE(name, shape)                                                             \
    template <typename V, typename T, typename... At>                                                        \
    static __WARPGRIND_INLINE__ __device__ V name##read(const surface<T, shape> &reference, At... at) {      \
        return name##read<V>((cudaSurfaceObject_t)&reference, at...);                                        \
    }                                                                                                        \
    template <typename V, typename T, typename... At>                                                        \
    static __WARPGRIND_INLINE__ __device__ void name##read(V *data, const surface<T, shape> &reference,      \
                                                           At... at) {                                       \
        *data = name##read<V>((cudaSurfaceObject_t)&reference, at...);                                       \
    }                                                                                                        \
    template <typename V, typename T, typename... At>                                                        \
    static __WARPGRIND_INLINE__ __device__ void name##write(V data, const surface<T, shape> &reference,      \
                                                            At... at) {                                      \
        name##write(data, (cudaSurfaceObject_t)&reference, at...);                                           \
    }
WARPGRIND_REFERENCE_SURFACE(surf1D, cudaSurfaceType1D)
WARPGRIND_REFERENCE_SURFACE(surf2D, cudaSurfaceType2D)
WARPGRIND_REFERENCE_SURFACE(surf3D, cudaSurfaceType3D)
WARPGRIND_REFERENCE_SURFACE(surf1DLayered, cudaSurfaceType1DLayered)
WARPGRIND_REFERENCE_SURFACE(surf2DLayered, cudaSurfaceType2DLayered)
WARPGRIND_REFERENCE_SURFACE(surfCubemap, cudaSurfaceTypeCubemap)
WARPGRIND_REFERENCE_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered)
#undef WARPGRIND_REFERENCE_SURFACE

#endif
