/* atomic_builtins.h - the atomic functions that nvcc has built in since CUDA 12.8: a memory order and
 * a scope for each, as arguments, which nvcc wants to be constants.
 *
 * Each is one instruction of its order and scope; one that is sequentially consistent has a fence before it,
 * as nvcc 13.0 makes it. A thread alone has the block's scope here and a cluster the device's, which order
 * more. Types and orders that nvcc refuses are refused. LIMIT: none of 16 bytes. Source: CUDA C++ Programming
 * Guide, Atomic Functions; what nvcc 13.0 takes and makes.
 */
#ifndef WARPGRIND_ATOMIC_BUILTINS_H
#define WARPGRIND_ATOMIC_BUILTINS_H

#include "host_defines.h"

#ifdef __cplusplus

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

/* `instruction(".relaxed", ".gpu")` and so on. */
#define WARPGRIND_IN_SCOPE(scope, instruction, order)                                                        \
    if ((scope) <= __NV_THREAD_SCOPE_BLOCK) {                                                                \
        instruction(order, ".cta");                                                                          \
    } else if ((scope) <= __NV_THREAD_SCOPE_DEVICE) {                                                        \
        instruction(order, ".gpu");                                                                          \
    } else {                                                                                                 \
        instruction(order, ".sys");                                                                          \
    }
#define WARPGRIND_REFUSE(condition, why) __attribute__((diagnose_if(condition, why, "error")))

__WARPGRIND_DEVICE__ void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
#define WARPGRIND_FENCE(order, scope) asm volatile("fence" order scope ";" ::: "memory")
    if (order == __NV_ATOMIC_SEQ_CST) {
        WARPGRIND_IN_SCOPE(scope, WARPGRIND_FENCE, ".sc")
    } else if (order != __NV_ATOMIC_RELAXED) {
        WARPGRIND_IN_SCOPE(scope, WARPGRIND_FENCE, ".acq_rel")
    }
#undef WARPGRIND_FENCE
}
__WARPGRIND_DEVICE__ void __warpgrind_fence_first(int order, int scope) {
    if (order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(order, scope);
}

/* ---- whole values: 1, 2, 4 or 8 bytes, of whatever type ---- */

template <unsigned long bytes> struct __warpgrind_word_of;
template <> struct __warpgrind_word_of<1> { typedef unsigned char type; };
template <> struct __warpgrind_word_of<2> { typedef unsigned short type; };
template <> struct __warpgrind_word_of<4> { typedef unsigned int type; };
template <> struct __warpgrind_word_of<8> { typedef unsigned long long type; };
template <typename T> struct __warpgrind_plain { typedef T type; };
template <typename T> struct __warpgrind_plain<volatile T> { typedef T type; };
template <typename T> struct __warpgrind_integral {
    typedef T type;
}; /* what functions on numbers take and give */
template <> struct __warpgrind_integral<float>;
template <> struct __warpgrind_integral<double>;
#define WARPGRIND_VALUE typename __warpgrind_plain<T>::type
#define WARPGRIND_WHOLE typename __warpgrind_integral<WARPGRIND_VALUE>::type
#define WARPGRIND_WORD typename __warpgrind_word_of<sizeof(T)>::type

template <typename To, typename From> __WARPGRIND_DEVICE__ To __warpgrind_recast(From from) {
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

/* A byte is in a register of 32 bits. */
#define WARPGRIND_LOAD_STORE(type, ptx, reg, Register)                                                       \
    __WARPGRIND_DEVICE__ type __warpgrind_load(const volatile type *address, int order, int scope) {         \
        Register value;                                                                                      \
        if (order == __NV_ATOMIC_RELAXED) {                                                                  \
            WARPGRIND_IN_SCOPE(scope, WARPGRIND_LOAD_##ptx, ".relaxed")                                      \
        } else {                                                                                             \
            WARPGRIND_IN_SCOPE(scope, WARPGRIND_LOAD_##ptx, ".acquire")                                      \
        }                                                                                                    \
        return (type)value;                                                                                  \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ void __warpgrind_store(volatile type *address, type whole, int order, int scope) {  \
        Register value = whole;                                                                              \
        if (order == __NV_ATOMIC_RELEASE) {                                                                  \
            WARPGRIND_IN_SCOPE(scope, WARPGRIND_STORE_##ptx, ".release")                                     \
        } else {                                                                                             \
            WARPGRIND_IN_SCOPE(scope, WARPGRIND_STORE_##ptx, ".relaxed")                                     \
        }                                                                                                    \
    }
#define WARPGRIND_LOAD_OF(order, scope, ptx, reg)                                                            \
    asm volatile("ld" order scope "." ptx " %0, [%1];" : "=" reg(value) : "l"(address) : "memory")
#define WARPGRIND_STORE_OF(order, scope, ptx, reg)                                                           \
    asm volatile("st" order scope "." ptx " [%0], %1;" ::"l"(address), reg(value) : "memory")
#define WARPGRIND_LOAD_u8(order, scope) WARPGRIND_LOAD_OF(order, scope, "u8", "r")
#define WARPGRIND_LOAD_b16(order, scope) WARPGRIND_LOAD_OF(order, scope, "b16", "h")
#define WARPGRIND_LOAD_b32(order, scope) WARPGRIND_LOAD_OF(order, scope, "b32", "r")
#define WARPGRIND_LOAD_b64(order, scope) WARPGRIND_LOAD_OF(order, scope, "b64", "l")
#define WARPGRIND_STORE_u8(order, scope) WARPGRIND_STORE_OF(order, scope, "u8", "r")
#define WARPGRIND_STORE_b16(order, scope) WARPGRIND_STORE_OF(order, scope, "b16", "h")
#define WARPGRIND_STORE_b32(order, scope) WARPGRIND_STORE_OF(order, scope, "b32", "r")
#define WARPGRIND_STORE_b64(order, scope) WARPGRIND_STORE_OF(order, scope, "b64", "l")
WARPGRIND_LOAD_STORE(unsigned char, u8, "r", unsigned int)
WARPGRIND_LOAD_STORE(unsigned short, b16, "h", unsigned short)
WARPGRIND_LOAD_STORE(unsigned int, b32, "r", unsigned int)
WARPGRIND_LOAD_STORE(unsigned long long, b64, "l", unsigned long long)
#undef WARPGRIND_LOAD_u8
#undef WARPGRIND_LOAD_b16
#undef WARPGRIND_LOAD_b32
#undef WARPGRIND_LOAD_b64
#undef WARPGRIND_STORE_u8
#undef WARPGRIND_STORE_b16
#undef WARPGRIND_STORE_b32
#undef WARPGRIND_STORE_b64
#undef WARPGRIND_LOAD_OF
#undef WARPGRIND_STORE_OF
#undef WARPGRIND_LOAD_STORE

#define WARPGRIND_NO_LOAD_ORDER                                                                              \
    WARPGRIND_REFUSE(order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL,                           \
                     "the order of an atomic load cannot be release or acq_rel")
#define WARPGRIND_NO_STORE_ORDER                                                                             \
    WARPGRIND_REFUSE(order == __NV_ATOMIC_CONSUME || order == __NV_ATOMIC_ACQUIRE ||                         \
                         order == __NV_ATOMIC_ACQ_REL,                                                       \
                     "the order of an atomic store cannot be consume, acquire or acq_rel")
template <typename T>
__WARPGRIND_DEVICE__ void __nv_atomic_load(T *address, WARPGRIND_VALUE *value, int order,
                                           int scope = __NV_THREAD_SCOPE_SYSTEM) WARPGRIND_NO_LOAD_ORDER {
    __warpgrind_fence_first(order, scope);
    *value = __warpgrind_recast<WARPGRIND_VALUE>(
        __warpgrind_load((const volatile WARPGRIND_WORD *)address, order, scope));
}
template <typename T>
__WARPGRIND_DEVICE__ WARPGRIND_WHOLE
__nv_atomic_load_n(T *address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) WARPGRIND_NO_LOAD_ORDER {
    WARPGRIND_VALUE value;
    __nv_atomic_load(address, &value, order, scope);
    return value;
}
template <typename T>
__WARPGRIND_DEVICE__ void __nv_atomic_store(T *address, WARPGRIND_VALUE *value, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) WARPGRIND_NO_STORE_ORDER {
    __warpgrind_fence_first(order, scope);
    __warpgrind_store((volatile WARPGRIND_WORD *)address, __warpgrind_recast<WARPGRIND_WORD>(*value), order,
                      scope);
}
template <typename T>
__WARPGRIND_DEVICE__ void __nv_atomic_store_n(T *address, WARPGRIND_WHOLE value, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) WARPGRIND_NO_STORE_ORDER {
    __nv_atomic_store(address, &value, order, scope);
}
#undef WARPGRIND_NO_LOAD_ORDER
#undef WARPGRIND_NO_STORE_ORDER
#undef WARPGRIND_REFUSE

/* ---- what is changed and given back ---- */

/* Sequentially consistent: as acquire, behind its fence. */
#define WARPGRIND_IN_ORDER(order, scope, instruction)                                                        \
    if (order == __NV_ATOMIC_RELAXED) {                                                                      \
        WARPGRIND_IN_SCOPE(scope, instruction, ".relaxed")                                                   \
    } else if (order == __NV_ATOMIC_RELEASE) {                                                               \
        WARPGRIND_IN_SCOPE(scope, instruction, ".release")                                                   \
    } else if (order == __NV_ATOMIC_ACQ_REL) {                                                               \
        WARPGRIND_IN_SCOPE(scope, instruction, ".acq_rel")                                                   \
    } else {                                                                                                 \
        WARPGRIND_IN_SCOPE(scope, instruction, ".acquire")                                                   \
    }
#define WARPGRIND_ATOM(name, operation, type, ptx, reg)                                                      \
    __WARPGRIND_DEVICE__ type __warpgrind_##name(volatile type *address, type value, int order, int scope) { \
        type old;                                                                                            \
        __warpgrind_fence_first(order, scope);                                                               \
        WARPGRIND_IN_ORDER(order, scope, WARPGRIND_ATOM_##operation##_##ptx)                                 \
        return old;                                                                                          \
    }
#define WARPGRIND_ATOM_OF(order, scope, operation, ptx, reg)                                                 \
    asm volatile("atom" order scope "." operation "." ptx " %0, [%1], %2;"                                   \
                 : "=" reg(old)                                                                              \
                 : "l"(address), reg(value)                                                                  \
                 : "memory")
#define WARPGRIND_ATOM_exch_b32(order, scope) WARPGRIND_ATOM_OF(order, scope, "exch", "b32", "r")
#define WARPGRIND_ATOM_exch_b64(order, scope) WARPGRIND_ATOM_OF(order, scope, "exch", "b64", "l")
#define WARPGRIND_ATOM_and_b32(order, scope) WARPGRIND_ATOM_OF(order, scope, "and", "b32", "r")
#define WARPGRIND_ATOM_and_b64(order, scope) WARPGRIND_ATOM_OF(order, scope, "and", "b64", "l")
#define WARPGRIND_ATOM_or_b32(order, scope) WARPGRIND_ATOM_OF(order, scope, "or", "b32", "r")
#define WARPGRIND_ATOM_or_b64(order, scope) WARPGRIND_ATOM_OF(order, scope, "or", "b64", "l")
#define WARPGRIND_ATOM_xor_b32(order, scope) WARPGRIND_ATOM_OF(order, scope, "xor", "b32", "r")
#define WARPGRIND_ATOM_xor_b64(order, scope) WARPGRIND_ATOM_OF(order, scope, "xor", "b64", "l")
#define WARPGRIND_ATOM_min_s32(order, scope) WARPGRIND_ATOM_OF(order, scope, "min", "s32", "r")
#define WARPGRIND_ATOM_min_u32(order, scope) WARPGRIND_ATOM_OF(order, scope, "min", "u32", "r")
#define WARPGRIND_ATOM_min_s64(order, scope) WARPGRIND_ATOM_OF(order, scope, "min", "s64", "l")
#define WARPGRIND_ATOM_min_u64(order, scope) WARPGRIND_ATOM_OF(order, scope, "min", "u64", "l")
#define WARPGRIND_ATOM_max_s32(order, scope) WARPGRIND_ATOM_OF(order, scope, "max", "s32", "r")
#define WARPGRIND_ATOM_max_u32(order, scope) WARPGRIND_ATOM_OF(order, scope, "max", "u32", "r")
#define WARPGRIND_ATOM_max_s64(order, scope) WARPGRIND_ATOM_OF(order, scope, "max", "s64", "l")
#define WARPGRIND_ATOM_max_u64(order, scope) WARPGRIND_ATOM_OF(order, scope, "max", "u64", "l")
#define WARPGRIND_ATOM_add_u32(order, scope) WARPGRIND_ATOM_OF(order, scope, "add", "u32", "r")
#define WARPGRIND_ATOM_add_u64(order, scope) WARPGRIND_ATOM_OF(order, scope, "add", "u64", "l")
#define WARPGRIND_ATOM_add_f32(order, scope) WARPGRIND_ATOM_OF(order, scope, "add", "f32", "f")
#define WARPGRIND_ATOM_add_f64(order, scope) WARPGRIND_ATOM_OF(order, scope, "add", "f64", "d")
#define WARPGRIND_ATOM_BITS(name, operation)                                                                 \
    WARPGRIND_ATOM(name, operation, unsigned int, b32, "r")                                                  \
    WARPGRIND_ATOM(name, operation, unsigned long long, b64, "l")
#define WARPGRIND_ATOM_ORDERED(name, operation)                                                              \
    WARPGRIND_ATOM(name, operation, int, s32, "r")                                                           \
    WARPGRIND_ATOM(name, operation, unsigned int, u32, "r")                                                  \
    WARPGRIND_ATOM(name, operation, long long, s64, "l")                                                     \
    WARPGRIND_ATOM(name, operation, unsigned long long, u64, "l")
WARPGRIND_ATOM_BITS(exchange, exch)
WARPGRIND_ATOM_BITS(and, and)
WARPGRIND_ATOM_BITS(or, or)
WARPGRIND_ATOM_BITS(xor, xor)
WARPGRIND_ATOM_ORDERED(min, min)
WARPGRIND_ATOM_ORDERED(max, max)
WARPGRIND_ATOM(add, add, unsigned int, u32, "r")
WARPGRIND_ATOM(add, add, unsigned long long, u64, "l")
WARPGRIND_ATOM(add, add, float, f32, "f")
WARPGRIND_ATOM(add, add, double, f64, "d")
#undef WARPGRIND_ATOM_exch_b32
#undef WARPGRIND_ATOM_exch_b64
#undef WARPGRIND_ATOM_and_b32
#undef WARPGRIND_ATOM_and_b64
#undef WARPGRIND_ATOM_or_b32
#undef WARPGRIND_ATOM_or_b64
#undef WARPGRIND_ATOM_xor_b32
#undef WARPGRIND_ATOM_xor_b64
#undef WARPGRIND_ATOM_min_s32
#undef WARPGRIND_ATOM_min_u32
#undef WARPGRIND_ATOM_min_s64
#undef WARPGRIND_ATOM_min_u64
#undef WARPGRIND_ATOM_max_s32
#undef WARPGRIND_ATOM_max_u32
#undef WARPGRIND_ATOM_max_s64
#undef WARPGRIND_ATOM_max_u64
#undef WARPGRIND_ATOM_add_u32
#undef WARPGRIND_ATOM_add_u64
#undef WARPGRIND_ATOM_add_f32
#undef WARPGRIND_ATOM_add_f64
#undef WARPGRIND_ATOM
#undef WARPGRIND_ATOM_OF
#undef WARPGRIND_ATOM_BITS
#undef WARPGRIND_ATOM_ORDERED

/* The type that an operation is known for: of whole numbers one of the same size, and of the same sign where
 * `ordered`. */
template <unsigned long bytes, bool is_signed> struct __warpgrind_number;
template <> struct __warpgrind_number<4, false> { typedef unsigned int type; };
template <> struct __warpgrind_number<4, true> { typedef int type; };
template <> struct __warpgrind_number<8, false> { typedef unsigned long long type; };
template <> struct __warpgrind_number<8, true> { typedef long long type; };
template <typename T, bool ordered> struct __warpgrind_operand {
    typedef typename __warpgrind_number<sizeof(T), ordered && (T)(-1) < (T)0>::type type;
};
template <> struct __warpgrind_operand<float, false> { typedef float type; };
template <> struct __warpgrind_operand<double, false> { typedef double type; };
template <> struct __warpgrind_operand<float, true>; /* no least or greatest of these */
template <> struct __warpgrind_operand<double, true>;
/* Sums of signed numbers of 8 bytes are not there. */
template <typename T> struct __warpgrind_summand {
    typedef typename __warpgrind_operand<T, false>::type type;
};
template <> struct __warpgrind_summand<long>;
template <> struct __warpgrind_summand<long long>;
template <typename T> struct __warpgrind_masked {
    typedef typename __warpgrind_operand<typename __warpgrind_integral<T>::type, false>::type type;
};
template <typename T> struct __warpgrind_ranked { typedef typename __warpgrind_operand<T, true>::type type; };

#define WARPGRIND_FETCH(name, kind)                                                                          \
    template <typename T>                                                                                    \
    __WARPGRIND_DEVICE__ WARPGRIND_VALUE __nv_atomic_fetch_##name(                                           \
        T *address, WARPGRIND_VALUE value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {                \
        typedef typename __warpgrind_##kind<WARPGRIND_VALUE>::type Operand;                                  \
        return (WARPGRIND_VALUE)__warpgrind_##name((volatile Operand *)address, (Operand)value, order,       \
                                                   scope);                                                   \
    }                                                                                                        \
    template <typename T>                                                                                    \
    __WARPGRIND_DEVICE__ void __nv_atomic_##name(T *address, WARPGRIND_VALUE value, int order,               \
                                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {                     \
        __nv_atomic_fetch_##name(address, value, order, scope);                                              \
    }
WARPGRIND_FETCH(add, summand)
WARPGRIND_FETCH(and, masked)
WARPGRIND_FETCH(or, masked)
WARPGRIND_FETCH(xor, masked)
WARPGRIND_FETCH(min, ranked)
WARPGRIND_FETCH(max, ranked)
#undef WARPGRIND_FETCH

/* PTX has no atomic subtraction: it is the addition of the negative. */
template <typename T>
__WARPGRIND_DEVICE__ WARPGRIND_VALUE __nv_atomic_fetch_sub(T *address, WARPGRIND_VALUE value, int order,
                                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_fetch_add(address, (WARPGRIND_VALUE)(0 - value), order, scope);
}
template <typename T>
__WARPGRIND_DEVICE__ void __nv_atomic_sub(T *address, WARPGRIND_VALUE value, int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __nv_atomic_fetch_sub(address, value, order, scope);
}

template <typename T>
__WARPGRIND_DEVICE__ void __nv_atomic_exchange(T *address, WARPGRIND_VALUE *value, WARPGRIND_VALUE *old,
                                               int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *old = __warpgrind_recast<WARPGRIND_VALUE>(__warpgrind_exchange(
        (volatile WARPGRIND_WORD *)address, __warpgrind_recast<WARPGRIND_WORD>(*value), order, scope));
}
template <typename T>
__WARPGRIND_DEVICE__ WARPGRIND_WHOLE __nv_atomic_exchange_n(T *address, WARPGRIND_WHOLE value, int order,
                                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
    WARPGRIND_VALUE old;
    __nv_atomic_exchange(address, &value, &old, order, scope);
    return old;
}

#define WARPGRIND_SWAP(type, ptx)                                                                            \
    __WARPGRIND_DEVICE__ type __warpgrind_swap(volatile type *address, type compare, type value, int order,  \
                                               int scope) {                                                  \
        type old;                                                                                            \
        __warpgrind_fence_first(order, scope);                                                               \
        WARPGRIND_IN_ORDER(order, scope, WARPGRIND_SWAP_##ptx)                                               \
        return old;                                                                                          \
    }
#define WARPGRIND_SWAP_OF(order, scope, ptx, reg)                                                            \
    asm volatile("atom" order scope ".cas." ptx " %0, [%1], %2, %3;"                                         \
                 : "=" reg(old)                                                                              \
                 : "l"(address), reg(compare), reg(value)                                                    \
                 : "memory")
#define WARPGRIND_SWAP_b16(order, scope) WARPGRIND_SWAP_OF(order, scope, "b16", "h")
#define WARPGRIND_SWAP_b32(order, scope) WARPGRIND_SWAP_OF(order, scope, "b32", "r")
#define WARPGRIND_SWAP_b64(order, scope) WARPGRIND_SWAP_OF(order, scope, "b64", "l")
WARPGRIND_SWAP(unsigned short, b16)
WARPGRIND_SWAP(unsigned int, b32)
WARPGRIND_SWAP(unsigned long long, b64)
#undef WARPGRIND_SWAP
#undef WARPGRIND_SWAP_OF
#undef WARPGRIND_SWAP_b16
#undef WARPGRIND_SWAP_b32
#undef WARPGRIND_SWAP_b64

/* The stronger of the two orders serves both ways out, and none is weak (as with nvcc). */
template <typename T>
__WARPGRIND_DEVICE__ bool __nv_atomic_compare_exchange(T *address, WARPGRIND_VALUE *expected,
                                                       WARPGRIND_VALUE *value, bool weak, int success,
                                                       int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    (void)weak;
    int order = success > failure ? success : failure;
    if (success == __NV_ATOMIC_RELEASE && failure != __NV_ATOMIC_RELAXED && order == success)
        order = __NV_ATOMIC_ACQ_REL;
    const WARPGRIND_WORD wanted = __warpgrind_recast<WARPGRIND_WORD>(*expected);
    const WARPGRIND_WORD old = __warpgrind_swap((volatile WARPGRIND_WORD *)address, wanted,
                                                __warpgrind_recast<WARPGRIND_WORD>(*value), order, scope);
    if (old != wanted) *expected = __warpgrind_recast<WARPGRIND_VALUE>(old);
    return old == wanted;
}
template <typename T>
__WARPGRIND_DEVICE__ bool __nv_atomic_compare_exchange_n(T *address, WARPGRIND_VALUE *expected,
                                                         WARPGRIND_WHOLE value, bool weak, int success,
                                                         int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_compare_exchange(address, expected, &value, weak, success, failure, scope);
}
#undef WARPGRIND_WHOLE
#undef WARPGRIND_IN_ORDER
#undef WARPGRIND_VALUE
#undef WARPGRIND_WORD
#undef WARPGRIND_IN_SCOPE

#endif
#endif
