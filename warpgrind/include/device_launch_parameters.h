/* device_launch_parameters.h - threadIdx, blockIdx, blockDim, gridDim and warpSize.
 *
 * Reading a member reads the special register, at the line of the reader; nothing is stored anywhere.
 */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#if defined(__cplusplus) && defined(__CUDA__)

#define WARPGRIND_GETTER __device__ static __WARPGRIND_INLINE__

/* One built-in variable: `name` with the registers `reg`, converting to the type that CUDA gives it. */
#define WARPGRIND_BUILTIN_VARIABLE(name, reg, type)                                                          \
    struct __warpgrind_##name {                                                                              \
        __declspec(property(get = read_x)) unsigned int x;                                                   \
        __declspec(property(get = read_y)) unsigned int y;                                                   \
        __declspec(property(get = read_z)) unsigned int z;                                                   \
        WARPGRIND_GETTER unsigned int read_x() {                                                             \
            return __nvvm_read_ptx_sreg_##reg##_x();                                                         \
        }                                                                                                    \
        WARPGRIND_GETTER unsigned int read_y() {                                                             \
            return __nvvm_read_ptx_sreg_##reg##_y();                                                         \
        }                                                                                                    \
        WARPGRIND_GETTER unsigned int read_z() {                                                             \
            return __nvvm_read_ptx_sreg_##reg##_z();                                                         \
        }                                                                                                    \
        __device__ __WARPGRIND_INLINE__ operator type() const {                                              \
            return type{read_x(), read_y(), read_z()};                                                       \
        }                                                                                                    \
        __warpgrind_##name() = delete;                                                                       \
        __warpgrind_##name(const __warpgrind_##name &) = delete;                                             \
        void operator=(const __warpgrind_##name &) const = delete;                                           \
    };                                                                                                       \
    extern const __device__ __attribute__((weak)) __warpgrind_##name name;

/* gridDim and blockDim are dim3 in CUDA; uint3 converts to dim3 as well, so both kinds of initialisation
 * work. */
WARPGRIND_BUILTIN_VARIABLE(threadIdx, tid, uint3)
WARPGRIND_BUILTIN_VARIABLE(blockIdx, ctaid, uint3)
WARPGRIND_BUILTIN_VARIABLE(blockDim, ntid, dim3)
WARPGRIND_BUILTIN_VARIABLE(gridDim, nctaid, dim3)
#undef WARPGRIND_BUILTIN_VARIABLE
#undef WARPGRIND_GETTER

static constexpr int warpSize __attribute__((unused)) = 32;

#endif
#endif
