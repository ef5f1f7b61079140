/* device_functions.h - what threads do together: barriers, fences, votes, shuffles; and time.
 *
 * __syncthreads itself is a builtin of clang. All the others are single instructions, written as clang's
 * builtins or as PTX. Source: CUDA C++ Programming Guide, Synchronization Functions, Warp Vote, Match, Reduce
 * and Shuffle Functions.
 */
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__

#include "host_defines.h"

/* ---- barriers and fences ---- */

#if defined(__CUDA_ARCH__) && defined(__OPTIMIZE__) && __clang_major__ < 16
/* These clangs take shared variables for what no barrier can change, and move reads of them over it. */
__WARPGRIND_DEVICE__ void __warpgrind_syncthreads(void) {
    __syncthreads();
    __asm__ volatile("" ::: "memory");
}
#define __syncthreads __warpgrind_syncthreads
#endif

__WARPGRIND_DEVICE__ int __syncthreads_count(int predicate) {
    return __nvvm_bar0_popc(predicate);
}
__WARPGRIND_DEVICE__ int __syncthreads_and(int predicate) {
    return __nvvm_bar0_and(predicate);
}
__WARPGRIND_DEVICE__ int __syncthreads_or(int predicate) {
    return __nvvm_bar0_or(predicate);
}
__WARPGRIND_DEVICE__ void __syncwarp(unsigned int mask = 0xffffffff) {
    __nvvm_bar_warp_sync(mask);
}
/* The block's barriers by number; a count is a number of threads, a multiple of the warp. */
__WARPGRIND_DEVICE__ void __barrier_sync(unsigned int barrier) {
    asm volatile("barrier.sync %0;" ::"r"(barrier) : "memory");
}
__WARPGRIND_DEVICE__ void __barrier_sync_count(unsigned int barrier, unsigned int threads) {
    asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__WARPGRIND_DEVICE__ void __threadfence_block() {
    __nvvm_membar_cta();
}
__WARPGRIND_DEVICE__ void __threadfence() {
    __nvvm_membar_gl();
}
__WARPGRIND_DEVICE__ void __threadfence_system() {
    __nvvm_membar_sys();
}

/* ---- votes, matches, reductions over a warp ---- */

__WARPGRIND_DEVICE__ int __all_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_all_sync(mask, predicate);
}
__WARPGRIND_DEVICE__ int __any_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_any_sync(mask, predicate);
}
__WARPGRIND_DEVICE__ int __uni_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_uni_sync(mask, predicate);
}
__WARPGRIND_DEVICE__ unsigned int __ballot_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_ballot_sync(mask, predicate);
}
__WARPGRIND_DEVICE__ unsigned int __activemask() {
    unsigned int mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

/* Not by clang's builtins: until version 16 those for 64 bits leave the mask in a register of 64 bits, too.
 */
#define WARPGRIND_MATCH(type, bits, width, constraint)                                                       \
    __WARPGRIND_DEVICE__ unsigned int __match_any_sync(unsigned int mask, type value) {                      \
        union {                                                                                              \
            type value;                                                                                      \
            bits raw;                                                                                        \
        } word = {value};                                                                                    \
        unsigned int equal;                                                                                  \
        asm volatile("match.any.sync." #width " %0, %1, %2;"                                                 \
                     : "=r"(equal)                                                                           \
                     : constraint(word.raw), "r"(mask));                                                     \
        return equal;                                                                                        \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ unsigned int __match_all_sync(unsigned int mask, type value, int *predicate) {      \
        union {                                                                                              \
            type value;                                                                                      \
            bits raw;                                                                                        \
        } word = {value};                                                                                    \
        unsigned int equal;                                                                                  \
        asm volatile("{ .reg .pred %%same; match.all.sync." #width                                           \
                     " %0|%%same, %2, %3; selp.s32 %1, 1, 0, %%same; }"                                      \
                     : "=r"(equal), "=r"(*predicate)                                                         \
                     : constraint(word.raw), "r"(mask));                                                     \
        return equal;                                                                                        \
    }
WARPGRIND_MATCH(int, unsigned int, b32, "r")
WARPGRIND_MATCH(unsigned int, unsigned int, b32, "r")
WARPGRIND_MATCH(float, unsigned int, b32, "r")
WARPGRIND_MATCH(long, long long, b64, "l")
WARPGRIND_MATCH(unsigned long, long long, b64, "l")
WARPGRIND_MATCH(long long, long long, b64, "l")
WARPGRIND_MATCH(unsigned long long, long long, b64, "l")
WARPGRIND_MATCH(double, long long, b64, "l")
#undef WARPGRIND_MATCH

#define WARPGRIND_REDUCE(operation, type, ptx)                                                               \
    __WARPGRIND_DEVICE__ type __reduce_##operation##_sync(unsigned int mask, type value) {                   \
        type result;                                                                                         \
        asm volatile("redux.sync." #operation "." #ptx " %0, %1, %2;"                                        \
                     : "=r"(result)                                                                          \
                     : "r"(value), "r"(mask));                                                               \
        return result;                                                                                       \
    }
WARPGRIND_REDUCE(add, unsigned int, u32)
WARPGRIND_REDUCE(add, int, s32)
WARPGRIND_REDUCE(min, unsigned int, u32)
WARPGRIND_REDUCE(min, int, s32)
WARPGRIND_REDUCE(max, unsigned int, u32)
WARPGRIND_REDUCE(max, int, s32)
WARPGRIND_REDUCE(and, unsigned int, b32)
WARPGRIND_REDUCE(or, unsigned int, b32)
WARPGRIND_REDUCE(xor, unsigned int, b32)
#undef WARPGRIND_REDUCE

/* ---- shuffles ----
 * The instruction's last operand packs the segment (from the width) and the clamp: PTX ISA 9.7.9.6. 8-byte
 * values go in two halves. */

/* A lane whose own value is all it wants needs no shuffle: clang says where the other's is dropped. */
#define WARPGRIND_VALUE __attribute__((warn_unused_result)) __WARPGRIND_DEVICE__

#define WARPGRIND_SHUFFLE(name, mode, choice, clamp)                                                         \
    WARPGRIND_VALUE int name(unsigned int mask, int value, choice lane, int width = 32) {                    \
        return __nvvm_shfl_sync_##mode##_i32(mask, value, (int)lane, ((32 - width) << 8) | clamp);           \
    }                                                                                                        \
    WARPGRIND_VALUE unsigned int name(unsigned int mask, unsigned int value, choice lane, int width = 32) {  \
        return (unsigned int)name(mask, (int)value, lane, width);                                            \
    }                                                                                                        \
    WARPGRIND_VALUE float name(unsigned int mask, float value, choice lane, int width = 32) {                \
        return __nvvm_shfl_sync_##mode##_f32(mask, value, (int)lane, ((32 - width) << 8) | clamp);           \
    }                                                                                                        \
    WARPGRIND_VALUE unsigned long long name(unsigned int mask, unsigned long long value, choice lane,        \
                                            int width = 32) {                                                \
        unsigned int low = name(mask, (unsigned int)value, lane, width);                                     \
        unsigned int high = name(mask, (unsigned int)(value >> 32), lane, width);                            \
        return (unsigned long long)high << 32 | low;                                                         \
    }                                                                                                        \
    WARPGRIND_VALUE long long name(unsigned int mask, long long value, choice lane, int width = 32) {        \
        return (long long)name(mask, (unsigned long long)value, lane, width);                                \
    }                                                                                                        \
    WARPGRIND_VALUE unsigned long name(unsigned int mask, unsigned long value, choice lane,                  \
                                       int width = 32) {                                                     \
        return (unsigned long)name(mask, (unsigned long long)value, lane, width);                            \
    }                                                                                                        \
    WARPGRIND_VALUE long name(unsigned int mask, long value, choice lane, int width = 32) {                  \
        return (long)name(mask, (unsigned long long)value, lane, width);                                     \
    }                                                                                                        \
    WARPGRIND_VALUE double name(unsigned int mask, double value, choice lane, int width = 32) {              \
        union {                                                                                              \
            double value;                                                                                    \
            unsigned long long raw;                                                                          \
        } word = {value};                                                                                    \
        word.raw = name(mask, word.raw, lane, width);                                                        \
        return word.value;                                                                                   \
    }
WARPGRIND_SHUFFLE(__shfl_sync, idx, int, 0x1f)
WARPGRIND_SHUFFLE(__shfl_up_sync, up, unsigned int, 0)
WARPGRIND_SHUFFLE(__shfl_down_sync, down, unsigned int, 0x1f)
WARPGRIND_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)
#undef WARPGRIND_SHUFFLE
#undef WARPGRIND_VALUE

/* ---- votes and shuffles without a mask, of cards before Volta: all lanes that come together take part ----
 */

__WARPGRIND_DEVICE__ int __any(int predicate) __WARPGRIND_OLD(__any) {
    return __any_sync(__activemask(), predicate);
}
__WARPGRIND_DEVICE__ int __all(int predicate) __WARPGRIND_OLD(__all) {
    return __all_sync(__activemask(), predicate);
}
__WARPGRIND_DEVICE__ unsigned int __ballot(int predicate) __WARPGRIND_OLD(__ballot) {
    return __ballot_sync(__activemask(), predicate);
}
#define WARPGRIND_OLD_SHUFFLE_OF(name, choice, type)                                                         \
    __WARPGRIND_DEVICE__ type name(type value, choice lane, int width = 32) __WARPGRIND_OLD(name) {          \
        return name##_sync(__activemask(), value, lane, width);                                              \
    }
#define WARPGRIND_OLD_SHUFFLE(name, choice)                                                                  \
    WARPGRIND_OLD_SHUFFLE_OF(name, choice, int)                                                              \
    WARPGRIND_OLD_SHUFFLE_OF(name, choice, unsigned int)                                                     \
    WARPGRIND_OLD_SHUFFLE_OF(name, choice, long)                                                             \
    WARPGRIND_OLD_SHUFFLE_OF(name, choice, unsigned long)                                                    \
    WARPGRIND_OLD_SHUFFLE_OF(name, choice, long long)                                                        \
    WARPGRIND_OLD_SHUFFLE_OF(name, choice, unsigned long long)                                               \
    WARPGRIND_OLD_SHUFFLE_OF(name, choice, float)                                                            \
    WARPGRIND_OLD_SHUFFLE_OF(name, choice, double)
WARPGRIND_OLD_SHUFFLE(__shfl, int)
WARPGRIND_OLD_SHUFFLE(__shfl_up, unsigned int)
WARPGRIND_OLD_SHUFFLE(__shfl_down, unsigned int)
WARPGRIND_OLD_SHUFFLE(__shfl_xor, int)
#undef WARPGRIND_OLD_SHUFFLE
#undef WARPGRIND_OLD_SHUFFLE_OF

/* ---- time, and the end ---- */

__WARPGRIND_DEVICE__ int clock() {
    int ticks;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks)::"memory");
    return ticks;
}
__WARPGRIND_DEVICE__ long long int clock64() {
    long long int ticks;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks)::"memory");
    return ticks;
}
__WARPGRIND_DEVICE__ void __nanosleep(unsigned int nanoseconds) {
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
__WARPGRIND_DEVICE__ void __trap() {
    asm volatile("trap;");
}
__WARPGRIND_DEVICE__ void __prof_trigger(int counter) {
    (void)counter; /* profilers alone count it */
}
__WARPGRIND_DEVICE__ void __brkpt() {
    asm volatile("brkpt;");
}

/* ---- which kind of memory a generic address is in ---- */

#define WARPGRIND_IS_SPACE(name, space)                                                                      \
    __WARPGRIND_DEVICE__ unsigned int name(const void *pointer) {                                            \
        unsigned int answer;                                                                                 \
        asm("{ .reg .pred p; isspacep." #space " p, %1; selp.u32 %0, 1, 0, p; }"                             \
            : "=r"(answer)                                                                                   \
            : "l"(pointer));                                                                                 \
        return answer;                                                                                       \
    }
WARPGRIND_IS_SPACE(__isGlobal, global)
WARPGRIND_IS_SPACE(__isShared, shared)
WARPGRIND_IS_SPACE(__isConstant, const)
WARPGRIND_IS_SPACE(__isLocal, local)
#undef WARPGRIND_IS_SPACE

/* What <cuda/annotated_ptr> asks of the cache is a hint, which changes no result. */
__WARPGRIND_DEVICE__ void *__nv_associate_access_property(const void *pointer, unsigned long long property) {
    (void)property;
    return (void *)pointer;
}

/* Parameters are copied to local memory when their address is taken. */
__WARPGRIND_DEVICE__ unsigned int __isGridConstant(const void *pointer) {
    (void)pointer;
    return 0;
}

/* ---- generic addresses, and addresses within one kind of memory ---- */

#define WARPGRIND_CVTA(name, space)                                                                          \
    __WARPGRIND_DEVICE__ size_t __cvta_generic_to_##name(const void *pointer) {                              \
        size_t address;                                                                                      \
        asm("cvta.to." #space ".u64 %0, %1;" : "=l"(address) : "l"(pointer));                                \
        return address;                                                                                      \
    }                                                                                                        \
    __WARPGRIND_DEVICE__ void *__cvta_##name##_to_generic(size_t address) {                                  \
        void *pointer;                                                                                       \
        asm("cvta." #space ".u64 %0, %1;" : "=l"(pointer) : "l"(address));                                   \
        return pointer;                                                                                      \
    }
WARPGRIND_CVTA(global, global)
WARPGRIND_CVTA(shared, shared)
WARPGRIND_CVTA(constant, const)
WARPGRIND_CVTA(local, local)
#undef WARPGRIND_CVTA

/* __ldg reads through the cache that does not see what the same kernel writes: its own instruction says so to
 * the checks. `carrier` is what inline assembly takes, of as many bytes as the type has. */
template <size_t bytes> struct __warpgrind_read_only {
    template <typename T> __WARPGRIND_DEVICE__ T load(const T *pointer) {
        return *pointer;
    }
};
#define WARPGRIND_READ_ONLY(bytes, load_type, carrier, constraint)                                           \
    template <> struct __warpgrind_read_only<bytes> {                                                        \
        template <typename T> __WARPGRIND_DEVICE__ T load(const T *pointer) {                                \
            carrier loaded;                                                                                  \
            asm volatile("ld.global.nc." load_type " %0, [%1];" : constraint(loaded) : "l"(pointer));        \
            return __builtin_bit_cast(T, loaded);                                                            \
        }                                                                                                    \
    };
WARPGRIND_READ_ONLY(2, "u16", unsigned short, "=h")
WARPGRIND_READ_ONLY(4, "u32", unsigned int, "=r")
WARPGRIND_READ_ONLY(8, "u64", unsigned long long, "=l")
#undef WARPGRIND_READ_ONLY
template <> struct __warpgrind_read_only<1> {
    template <typename T> __WARPGRIND_DEVICE__ T load(const T *pointer) {
        unsigned int loaded;
        asm volatile("ld.global.nc.u8 %0, [%1];" : "=r"(loaded) : "l"(pointer));
        return __builtin_bit_cast(T, (unsigned char)loaded);
    }
};
template <> struct __warpgrind_read_only<16> {
    struct Pair {
        unsigned long long low, high;
    };
    template <typename T> __WARPGRIND_DEVICE__ T load(const T *pointer) {
        Pair loaded;
        asm volatile("ld.global.nc.v2.u64 {%0, %1}, [%2];"
                     : "=l"(loaded.low), "=l"(loaded.high)
                     : "l"(pointer));
        return __builtin_bit_cast(T, loaded);
    }
};
template <typename T> __WARPGRIND_DEVICE__ T __ldg(const T *pointer) {
    return __warpgrind_read_only<sizeof(T)>::load(pointer);
}

/* Loads and stores with a cache hint: the hint changes no result. */
#define WARPGRIND_LOAD(name)                                                                                 \
    template <typename T> __WARPGRIND_DEVICE__ T name(const T *pointer) {                                    \
        return *pointer;                                                                                     \
    }
WARPGRIND_LOAD(__ldcg)
WARPGRIND_LOAD(__ldca)
WARPGRIND_LOAD(__ldcs)
WARPGRIND_LOAD(__ldlu)
WARPGRIND_LOAD(__ldcv)
#undef WARPGRIND_LOAD
#define WARPGRIND_STORE(name)                                                                                \
    template <typename T> __WARPGRIND_DEVICE__ void name(T *pointer, T value) {                              \
        *pointer = value;                                                                                    \
    }
WARPGRIND_STORE(__stwb)
WARPGRIND_STORE(__stcg)
WARPGRIND_STORE(__stcs)
WARPGRIND_STORE(__stwt)
#undef WARPGRIND_STORE

#endif
