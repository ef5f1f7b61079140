/* device_atomic_functions.h - atomic functions: for the device, the block (_block) and the system (_system).
 *
 * One row is a function for a type: its operation, PTX type and register. Each is one `atom` instruction on a
 * generic address. Source: CUDA C++ Programming Guide, Atomic Functions; PTX ISA 9.7.13.5.
 */
#ifndef __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__

#include "host_defines.h"

#define WARPGRIND_ATOMIC_SCOPED(function, scope, type, operation, ptx, reg)                                  \
    __WARPGRIND_DEVICE__ type function(type *address, type value) {                                          \
        type old;                                                                                            \
        asm volatile("atom" scope "." #operation "." #ptx " %0, [%1], %2;"                                   \
                     : "=" reg(old)                                                                          \
                     : "l"(address), reg(value)                                                              \
                     : "memory");                                                                            \
        return old;                                                                                          \
    }
#define WARPGRIND_ATOMIC(function, type, operation, ptx, reg)                                                \
    WARPGRIND_ATOMIC_SCOPED(function, "", type, operation, ptx, reg)                                         \
    WARPGRIND_ATOMIC_SCOPED(function##_block, ".cta", type, operation, ptx, reg)                             \
    WARPGRIND_ATOMIC_SCOPED(function##_system, ".sys", type, operation, ptx, reg)

WARPGRIND_ATOMIC(atomicAdd, int, add, s32, "r")
WARPGRIND_ATOMIC(atomicAdd, unsigned int, add, u32, "r")
WARPGRIND_ATOMIC(atomicAdd, unsigned long long int, add, u64, "l")
WARPGRIND_ATOMIC(atomicAdd, float, add, f32, "f")
WARPGRIND_ATOMIC(atomicAdd, double, add, f64, "d")
WARPGRIND_ATOMIC(atomicExch, int, exch, b32, "r")
WARPGRIND_ATOMIC(atomicExch, unsigned int, exch, b32, "r")
WARPGRIND_ATOMIC(atomicExch, unsigned long long int, exch, b64, "l")
WARPGRIND_ATOMIC(atomicExch, float, exch, b32, "f")
WARPGRIND_ATOMIC(atomicMin, int, min, s32, "r")
WARPGRIND_ATOMIC(atomicMin, unsigned int, min, u32, "r")
WARPGRIND_ATOMIC(atomicMin, long long int, min, s64, "l")
WARPGRIND_ATOMIC(atomicMin, unsigned long long int, min, u64, "l")
WARPGRIND_ATOMIC(atomicMax, int, max, s32, "r")
WARPGRIND_ATOMIC(atomicMax, unsigned int, max, u32, "r")
WARPGRIND_ATOMIC(atomicMax, long long int, max, s64, "l")
WARPGRIND_ATOMIC(atomicMax, unsigned long long int, max, u64, "l")
WARPGRIND_ATOMIC(atomicInc, unsigned int, inc, u32, "r")
WARPGRIND_ATOMIC(atomicDec, unsigned int, dec, u32, "r")
WARPGRIND_ATOMIC(atomicAnd, int, and, b32, "r")
WARPGRIND_ATOMIC(atomicAnd, unsigned int, and, b32, "r")
WARPGRIND_ATOMIC(atomicAnd, unsigned long long int, and, b64, "l")
WARPGRIND_ATOMIC(atomicOr, int, or, b32, "r")
WARPGRIND_ATOMIC(atomicOr, unsigned int, or, b32, "r")
WARPGRIND_ATOMIC(atomicOr, unsigned long long int, or, b64, "l")
WARPGRIND_ATOMIC(atomicXor, int, xor, b32, "r")
WARPGRIND_ATOMIC(atomicXor, unsigned int, xor, b32, "r")
WARPGRIND_ATOMIC(atomicXor, unsigned long long int, xor, b64, "l")

/* PTX has no atomic subtraction: it is the addition of the negative, as nvcc does it. */
#define WARPGRIND_ATOMIC_SUB(suffix, type)                                                                   \
    __WARPGRIND_DEVICE__ type atomicSub##suffix(type *address, type value) {                                 \
        return atomicAdd##suffix(address, (type)(0u - (unsigned int)value));                                 \
    }
WARPGRIND_ATOMIC_SUB(, int)
WARPGRIND_ATOMIC_SUB(, unsigned int)
WARPGRIND_ATOMIC_SUB(_block, int)
WARPGRIND_ATOMIC_SUB(_block, unsigned int)
WARPGRIND_ATOMIC_SUB(_system, int)
WARPGRIND_ATOMIC_SUB(_system, unsigned int)

#define WARPGRIND_ATOMIC_CAS_SCOPED(function, scope, type, ptx, reg)                                         \
    __WARPGRIND_DEVICE__ type function(type *address, type compare, type value) {                            \
        type old;                                                                                            \
        asm volatile("atom" scope ".cas." #ptx " %0, [%1], %2, %3;"                                          \
                     : "=" reg(old)                                                                          \
                     : "l"(address), reg(compare), reg(value)                                                \
                     : "memory");                                                                            \
        return old;                                                                                          \
    }
#define WARPGRIND_ATOMIC_CAS(type, ptx, reg)                                                                 \
    WARPGRIND_ATOMIC_CAS_SCOPED(atomicCAS, "", type, ptx, reg)                                               \
    WARPGRIND_ATOMIC_CAS_SCOPED(atomicCAS_block, ".cta", type, ptx, reg)                                     \
    WARPGRIND_ATOMIC_CAS_SCOPED(atomicCAS_system, ".sys", type, ptx, reg)
WARPGRIND_ATOMIC_CAS(int, b32, "r")
WARPGRIND_ATOMIC_CAS(unsigned int, b32, "r")
WARPGRIND_ATOMIC_CAS(unsigned long long int, b64, "l")
WARPGRIND_ATOMIC_CAS(unsigned short int, b16, "h")

#undef WARPGRIND_ATOMIC
#undef WARPGRIND_ATOMIC_SCOPED
#undef WARPGRIND_ATOMIC_SUB
#undef WARPGRIND_ATOMIC_CAS
#undef WARPGRIND_ATOMIC_CAS_SCOPED

#endif
