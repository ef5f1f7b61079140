/* device_atomic_builtins.h - the atomic functions that nvcc has built in since CUDA 12.8: a memory order and a
 * scope for each, as arguments, which nvcc wants to be constants.
 *
 * Each is one relaxed instruction of its scope with the fences of its order before and behind it, as the
 * orders are defined by them (PTX ISA, Memory Consistency Model). A thread alone has the block's scope here and
 * a cluster the device's, which order more. LIMIT: none of 16 bytes.
 * Source: CUDA C++ Programming Guide, Atomic Functions.
 */
#ifndef __DEVICE_ATOMIC_BUILTINS_H__
#define __DEVICE_ATOMIC_BUILTINS_H__

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

/* `instruction(".gpu")` and so on. */
#define WARPGRIND_IN_SCOPE(scope, instruction)                                                               \
    if ((scope) <= __NV_THREAD_SCOPE_BLOCK) {                                                                \
        instruction(".cta");                                                                                 \
    } else if ((scope) <= __NV_THREAD_SCOPE_DEVICE) {                                                        \
        instruction(".gpu");                                                                                 \
    } else {                                                                                                 \
        instruction(".sys");                                                                                 \
    }

/* ---- orders ---- */

__WARPGRIND_DEVICE__ void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
#define WARPGRIND_FENCE_SC(scope) asm volatile("fence.sc" scope ";" ::: "memory")
#define WARPGRIND_FENCE(scope) asm volatile("fence.acq_rel" scope ";" ::: "memory")
    if (order == __NV_ATOMIC_SEQ_CST) {
        WARPGRIND_IN_SCOPE(scope, WARPGRIND_FENCE_SC)
    } else if (order != __NV_ATOMIC_RELAXED) {
        WARPGRIND_IN_SCOPE(scope, WARPGRIND_FENCE)
    }
#undef WARPGRIND_FENCE_SC
#undef WARPGRIND_FENCE
}
__WARPGRIND_DEVICE__ void __warpgrind_fence_before(int order, int scope) {
    if (order >= __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}
__WARPGRIND_DEVICE__ void __warpgrind_fence_behind(int order, int scope) {
    if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, scope);
}

/* ---- whole values: 1, 2, 4 or 8 bytes, of whatever type ---- */

template <unsigned long bytes> struct __warpgrind_word;
template <> struct __warpgrind_word<1> { typedef unsigned char type; };
template <> struct __warpgrind_word<2> { typedef unsigned short type; };
template <> struct __warpgrind_word<4> { typedef unsigned int type; };
template <> struct __warpgrind_word<8> { typedef unsigned long long type; };
template <typename T> struct __warpgrind_same { typedef T type; };
template <typename T> struct __warpgrind_same<volatile T> { typedef T type; };
template <typename T> struct __warpgrind_same<const T> { typedef T type; };
template <typename T> struct __warpgrind_same<const volatile T> { typedef T type; };
#define WARPGRIND_VALUE typename __warpgrind_same<T>::type
#define WARPGRIND_WORD typename __warpgrind_word<sizeof(T)>::type

template <typename To, typename From> __WARPGRIND_DEVICE__ To __warpgrind_bits(From from) {
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

__WARPGRIND_DEVICE__ unsigned int __warpgrind_load(const volatile unsigned char *address, int scope) {
    unsigned int value;
#define WARPGRIND_LOAD(scope)                                                                                \
    asm volatile("ld.relaxed" scope ".u8 %0, [%1];" : "=r"(value) : "l"(address) : "memory")
    WARPGRIND_IN_SCOPE(scope, WARPGRIND_LOAD)
#undef WARPGRIND_LOAD
    return value;
}
__WARPGRIND_DEVICE__ void __warpgrind_store(volatile unsigned char *address, unsigned int value, int scope) {
#define WARPGRIND_STORE(scope)                                                                               \
    asm volatile("st.relaxed" scope ".u8 [%0], %1;" ::"l"(address), "r"(value) : "memory")
    WARPGRIND_IN_SCOPE(scope, WARPGRIND_STORE)
#undef WARPGRIND_STORE
}
#define WARPGRIND_LOAD_STORE(type, ptx, reg)                                                                 \
    __WARPGRIND_DEVICE__ type __warpgrind_load(const volatile type *address, int scope) {                    \
        type value;                                                                                          \
        WARPGRIND_IN_SCOPE(scope, WARPGRIND_LOAD_##ptx)                                                      \
        return value;                                                                                        \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ void __warpgrind_store(volatile type *address, type value, int scope) {             \
        WARPGRIND_IN_SCOPE(scope, WARPGRIND_STORE_##ptx)                                                     \
    }
#define WARPGRIND_LOAD_OF(scope, ptx, reg)                                                                   \
    asm volatile("ld.relaxed" scope "." ptx " %0, [%1];" : "=" reg(value) : "l"(address) : "memory")
#define WARPGRIND_STORE_OF(scope, ptx, reg)                                                                  \
    asm volatile("st.relaxed" scope "." ptx " [%0], %1;" ::"l"(address), reg(value) : "memory")
#define WARPGRIND_LOAD_b16(scope) WARPGRIND_LOAD_OF(scope, "b16", "h")
#define WARPGRIND_LOAD_b32(scope) WARPGRIND_LOAD_OF(scope, "b32", "r")
#define WARPGRIND_LOAD_b64(scope) WARPGRIND_LOAD_OF(scope, "b64", "l")
#define WARPGRIND_STORE_b16(scope) WARPGRIND_STORE_OF(scope, "b16", "h")
#define WARPGRIND_STORE_b32(scope) WARPGRIND_STORE_OF(scope, "b32", "r")
#define WARPGRIND_STORE_b64(scope) WARPGRIND_STORE_OF(scope, "b64", "l")
WARPGRIND_LOAD_STORE(unsigned short, b16, "h")
WARPGRIND_LOAD_STORE(unsigned int, b32, "r")
WARPGRIND_LOAD_STORE(unsigned long long, b64, "l")
#undef WARPGRIND_LOAD_b16
#undef WARPGRIND_LOAD_b32
#undef WARPGRIND_LOAD_b64
#undef WARPGRIND_STORE_b16
#undef WARPGRIND_STORE_b32
#undef WARPGRIND_STORE_b64
#undef WARPGRIND_LOAD_OF
#undef WARPGRIND_STORE_OF
#undef WARPGRIND_LOAD_STORE

template <typename T>
__WARPGRIND_DEVICE__ WARPGRIND_VALUE __nv_atomic_load_n(T *address, int order,
                                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(order, scope);
    WARPGRIND_WORD word = __warpgrind_load((const volatile WARPGRIND_WORD *)address, scope);
    __warpgrind_fence_behind(order, scope);
    return __warpgrind_bits<WARPGRIND_VALUE>(word);
}
template <typename T>
__WARPGRIND_DEVICE__ void __nv_atomic_load(T *address, WARPGRIND_VALUE *value, int order,
                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *value = __nv_atomic_load_n(address, order, scope);
}
template <typename T>
__WARPGRIND_DEVICE__ void __nv_atomic_store_n(T *address, WARPGRIND_VALUE value, int order,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __warpgrind_fence_before(order, scope);
    __warpgrind_store((volatile WARPGRIND_WORD *)address, __warpgrind_bits<WARPGRIND_WORD>(value), scope);
}
template <typename T>
__WARPGRIND_DEVICE__ void __nv_atomic_store(T *address, WARPGRIND_VALUE *value, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __nv_atomic_store_n(address, *value, order, scope);
}

/* ---- what is changed and given back ---- */

/* One `atom` instruction for a PTX type, in each scope. */
#define WARPGRIND_ATOM(name, operation, type, ptx, reg)                                                      \
    __WARPGRIND_DEVICE__ type __warpgrind_##name(volatile type *address, type value, int scope) {            \
        type old;                                                                                            \
        if (scope <= __NV_THREAD_SCOPE_BLOCK)                                                                \
            WARPGRIND_ATOM_IN(".cta", operation, ptx, reg);                                                  \
        else if (scope <= __NV_THREAD_SCOPE_DEVICE)                                                          \
            WARPGRIND_ATOM_IN(".gpu", operation, ptx, reg);                                                  \
        else                                                                                                 \
            WARPGRIND_ATOM_IN(".sys", operation, ptx, reg);                                                  \
        return old;                                                                                          \
    }
#define WARPGRIND_ATOM_IN(scope, operation, ptx, reg)                                                        \
    asm volatile("atom.relaxed" scope "." #operation "." #ptx " %0, [%1], %2;"                               \
                 : "=" reg(old)                                                                              \
                 : "l"(address), reg(value)                                                                  \
                 : "memory")
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
#undef WARPGRIND_ATOM
#undef WARPGRIND_ATOM_IN
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

#define WARPGRIND_FETCH(name, ordered)                                                                       \
    template <typename T>                                                                                    \
    __WARPGRIND_DEVICE__ WARPGRIND_VALUE __nv_atomic_fetch_##name(                                           \
        T *address, WARPGRIND_VALUE value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {                \
        typedef typename __warpgrind_operand<WARPGRIND_VALUE, ordered>::type Operand;                        \
        __warpgrind_fence_before(order, scope);                                                              \
        Operand old = __warpgrind_##name((volatile Operand *)address, (Operand)value, scope);                \
        __warpgrind_fence_behind(order, scope);                                                              \
        return (WARPGRIND_VALUE)old;                                                                         \
    }                                                                                                        \
    template <typename T>                                                                                    \
    __WARPGRIND_DEVICE__ void __nv_atomic_##name(T *address, WARPGRIND_VALUE value, int order,               \
                                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {                     \
        __nv_atomic_fetch_##name(address, value, order, scope);                                              \
    }
WARPGRIND_FETCH(add, false)
WARPGRIND_FETCH(and, false)
WARPGRIND_FETCH(or, false)
WARPGRIND_FETCH(xor, false)
WARPGRIND_FETCH(min, true)
WARPGRIND_FETCH(max, true)
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
__WARPGRIND_DEVICE__ WARPGRIND_VALUE __nv_atomic_exchange_n(T *address, WARPGRIND_VALUE value, int order,
                                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __warpgrind_fence_before(order, scope);
    WARPGRIND_WORD old = __warpgrind_exchange((volatile WARPGRIND_WORD *)address,
                                              __warpgrind_bits<WARPGRIND_WORD>(value), scope);
    __warpgrind_fence_behind(order, scope);
    return __warpgrind_bits<WARPGRIND_VALUE>(old);
}
template <typename T>
__WARPGRIND_DEVICE__ void __nv_atomic_exchange(T *address, WARPGRIND_VALUE *value, WARPGRIND_VALUE *old,
                                               int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *old = __nv_atomic_exchange_n(address, *value, order, scope);
}

#define WARPGRIND_SWAP(type, ptx, reg)                                                                       \
    __WARPGRIND_DEVICE__ type __warpgrind_swap(volatile type *address, type compare, type value,             \
                                               int scope) {                                                  \
        type old;                                                                                            \
        if (scope <= __NV_THREAD_SCOPE_BLOCK)                                                                \
            WARPGRIND_SWAP_IN(".cta", ptx, reg);                                                             \
        else if (scope <= __NV_THREAD_SCOPE_DEVICE)                                                          \
            WARPGRIND_SWAP_IN(".gpu", ptx, reg);                                                             \
        else                                                                                                 \
            WARPGRIND_SWAP_IN(".sys", ptx, reg);                                                             \
        return old;                                                                                          \
    }
#define WARPGRIND_SWAP_IN(scope, ptx, reg)                                                                   \
    asm volatile("atom.relaxed" scope ".cas." #ptx " %0, [%1], %2, %3;"                                      \
                 : "=" reg(old)                                                                              \
                 : "l"(address), reg(compare), reg(value)                                                    \
                 : "memory")
WARPGRIND_SWAP(unsigned short, b16, "h")
WARPGRIND_SWAP(unsigned int, b32, "r")
WARPGRIND_SWAP(unsigned long long, b64, "l")
#undef WARPGRIND_SWAP
#undef WARPGRIND_SWAP_IN

/* The stronger of the two orders serves both ways out, and none is weak (as with nvcc). */
template <typename T>
__WARPGRIND_DEVICE__ bool __nv_atomic_compare_exchange_n(T *address, WARPGRIND_VALUE *expected,
                                                         WARPGRIND_VALUE value, bool weak, int success,
                                                         int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    (void)weak;
    int order = success > failure ? success : failure;
    if (success == __NV_ATOMIC_RELEASE && failure != __NV_ATOMIC_RELAXED && order == success)
        order = __NV_ATOMIC_ACQ_REL;
    const WARPGRIND_WORD wanted = __warpgrind_bits<WARPGRIND_WORD>(*expected);
    __warpgrind_fence_before(order, scope);
    const WARPGRIND_WORD old = __warpgrind_swap((volatile WARPGRIND_WORD *)address, wanted,
                                                __warpgrind_bits<WARPGRIND_WORD>(value), scope);
    __warpgrind_fence_behind(order, scope);
    if (old != wanted) *expected = __warpgrind_bits<WARPGRIND_VALUE>(old);
    return old == wanted;
}
template <typename T>
__WARPGRIND_DEVICE__ bool __nv_atomic_compare_exchange(T *address, WARPGRIND_VALUE *expected,
                                                       WARPGRIND_VALUE *value, bool weak, int success,
                                                       int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_compare_exchange_n(address, expected, *value, weak, success, failure, scope);
}
#undef WARPGRIND_VALUE
#undef WARPGRIND_WORD
#undef WARPGRIND_IN_SCOPE

#endif
#endif
