/* host_defines.h - CUDA's declaration keywords, in terms of clang's attributes.
 *
 * __WARPGRIND_DEVICE__ is what every device function of these headers is: always inlined and without debug
 * lines of its own, so that its instructions carry the line of the user who called it.
 */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#if !defined(__WARPGRIND_CUDA__) || __WARPGRIND_CUDA__ == 13
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#elif __WARPGRIND_CUDA__ == 12
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#else
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 8
#endif
#define __CUDACC_VER_BUILD__ 0
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* Clang has none in CUDA: warpcc makes them of variables in this section (managed.c). */
#define __managed__ __attribute__((device, section("warpcc_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
/* LIMIT: each block is a cluster of its own. _Pragma takes a single literal. */
/* clang-format off */
#define __cluster_dims__(...)                                                                                \
    _Pragma("GCC error \"the software GPU has no clusters of blocks: leave __cluster_dims__ out, and let blocks share through global memory\"")
/* clang-format on */
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#endif

/* A parameter that the kernel must not copy: a promise to the optimiser, nothing that changes what is
 * computed. */
#define __grid_constant__
#define __maxnreg__(count)

#define __forceinline__ __inline__ __attribute__((always_inline))
#if !defined(__clang__) || !defined(__CUDA__) || __clang_major__ < 15 /* later it is a keyword */
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define __CUDA_ARCH_LIST__ 800

#ifdef __clang__
#define __WARPGRIND_INLINE__ __inline__ __attribute__((always_inline, nodebug))
#else
#define __WARPGRIND_INLINE__ __inline__ __attribute__((always_inline))
#endif
/* What other toolkits have and CUDA 13 has not, or the other way round: cuda_old_names.def. A compile by
 * `warpcc --cuda=N` has the names of toolkit N alone; every other one has all of them, with a warning that
 * says what took the place of an old one. */
#define __WARPGRIND_OLD_NOTE(text) __attribute__((deprecated(text)))
#define __WARPGRIND_OLD_ERROR(text) __attribute__((unavailable(text)))
#define __WARPGRIND_OLD_NOTHING(text)
#if !defined(__WARPGRIND_CUDA__)
#define __WARPGRIND_GONE_11 __WARPGRIND_OLD_NOTE
#else
#define __WARPGRIND_GONE_11 __WARPGRIND_OLD_ERROR
#endif
#if !defined(__WARPGRIND_CUDA__)
#define __WARPGRIND_GONE_12 __WARPGRIND_OLD_NOTE
#define __WARPGRIND_GONE_13 __WARPGRIND_OLD_NOTE
#elif __WARPGRIND_CUDA__ == 11
#define __WARPGRIND_GONE_12 __WARPGRIND_OLD_NOTHING
#define __WARPGRIND_GONE_13 __WARPGRIND_OLD_NOTHING
#elif __WARPGRIND_CUDA__ == 12
#define __WARPGRIND_GONE_12 __WARPGRIND_OLD_ERROR
#define __WARPGRIND_GONE_13 __WARPGRIND_OLD_NOTHING
#else
#define __WARPGRIND_GONE_12 __WARPGRIND_OLD_ERROR
#define __WARPGRIND_GONE_13 __WARPGRIND_OLD_ERROR
#endif
#if defined(__WARPGRIND_CUDA__) && __WARPGRIND_CUDA__ < 12
#define __WARPGRIND_CAME_12 __WARPGRIND_OLD_ERROR
#else
#define __WARPGRIND_CAME_12 __WARPGRIND_OLD_NOTHING
#endif
#if defined(__WARPGRIND_CUDA__) && __WARPGRIND_CUDA__ < 13
#define __WARPGRIND_CAME_13 __WARPGRIND_OLD_ERROR
#else
#define __WARPGRIND_CAME_13 __WARPGRIND_OLD_NOTHING
#endif
#include "cuda_old_names.h"
/* Before or behind a declaration: its row of the table. */
#define __WARPGRIND_OLD(key) __WARPGRIND_OLD_##key
#define __WARPGRIND_NEW(key) __WARPGRIND_NEW_##key

#define __WARPGRIND_DEVICE__ static __device__ __WARPGRIND_INLINE__ __attribute__((unused))
#define __WARPGRIND_BOTH__ static __host__ __device__ __WARPGRIND_INLINE__ __attribute__((unused))
#define __WARPGRIND_HOST__ static __inline__ __attribute__((unused))

#endif
