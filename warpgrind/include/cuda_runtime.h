/* cuda_runtime.h - CUDA C++ for one .cu file: warpcc includes it first, as nvcc does.
 *
 * The C API, the C++ overloads over it, the built-in variables and the device functions. In plain C and C++
 * (no device side) it is the API alone.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "host_defines.h"
#if defined(__cplusplus) && defined(__CUDA__)
#include "host_prelude.h"
#endif

#include "vector_types.h"
#include "vector_functions.h"
#include "device_types.h"
#include "driver_types.h"
#include "library_types.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"

#ifdef __cplusplus
#include "cuda_runtime_templates.h"
#ifdef __CUDA__
/* libcu++ has atomics of both sides for nvcc; for clang it has to be asked. */
#define _LIBCUDACXX_HAS_CUDA_ATOMIC_IMPL
#include "device_launch_parameters.h"
#include "device_functions.h"
#include "warpgrind/atomic_builtins.h"
#include "device_atomic_functions.h"
#include "device_intrinsics.h"
#include "device_simd_functions.h"
#include "texture_functions.h"
#include "surface_functions.h"
#include "cuda_device_runtime_api.h"

/* What clang calls for kernel<<<grid, block, bytes, stream>>>(...). */
extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                                void *stream = 0);
#endif
#endif
#endif
