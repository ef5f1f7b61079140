/* exec_rows.h - how an operation on 32 lanes is written: one expression on x, y, z, made into two handlers.
 *
 * The files that include this are compiled once for every processor level of rules.mk, with GPU_LEVEL as the
 * suffix of the one symbol each exports; the loops below are what the compiler vectorises. Lanes are read
 * before they are written, so that d may be the same row as a source.
 */
#pragma once

#include "gpu/state/machine.h"

#include <math.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef uint32_t U32 __attribute__((may_alias));
typedef int32_t S32 __attribute__((may_alias));
typedef uint64_t U64 __attribute__((may_alias));
typedef int64_t S64 __attribute__((may_alias));
typedef float F32 __attribute__((may_alias));
typedef double F64 __attribute__((may_alias));
__extension__ typedef unsigned __int128 U128;
__extension__ typedef __int128 S128;

#define EXEC_PASTE_(a, b) a##_##b
#define EXEC_PASTE(a, b) EXEC_PASTE_(a, b)
#define EXEC_SYMBOL(name) EXEC_PASTE(name, GPU_LEVEL)

#ifdef __clang__
#define EXEC_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define EXEC_INDEPENDENT _Pragma("GCC ivdep")
#endif
#define EXEC_INLINE static inline __attribute__((always_inline))

#define BOTH_HANDLERS(id)                                                                                    \
    static const GpuInstruction *id##_full(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {        \
        return id##_lanes(warp, ins, mask, true);                                                            \
    }                                                                                                        \
    static const GpuInstruction *id##_masked(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {      \
        return id##_lanes(warp, ins, mask, false);                                                           \
    }

/** EXEC_ROW(id, lane types of d, a, b, c, expression): defines id_lanes. */
#define EXEC_ROW(id, D, A, B, C, EXPR)                                                                       \
    EXEC_INLINE const GpuInstruction *id##_lanes(const GpuWarp *warp, const GpuInstruction *ins,             \
                                                 uint32_t mask, bool all) {                                  \
        D *d = gpu_row(warp, ins->d);                                                                        \
        const A *a = gpu_row(warp, ins->a);                                                                  \
        const B *b = gpu_row(warp, ins->b);                                                                  \
        const C *c = gpu_row(warp, ins->c);                                                                  \
        EXEC_INDEPENDENT                                                                                     \
        for (unsigned i = 0; i < GPU_WARP_LANES; i++) {                                                      \
            A x = a[i];                                                                                      \
            B y = b[i];                                                                                      \
            C z = c[i];                                                                                      \
            (void)y, (void)z;                                                                                \
            D r = (D)(EXPR);                                                                                 \
            d[i] = all || (mask >> i & 1) ? r : d[i];                                                        \
        }                                                                                                    \
        return ins->next;                                                                                    \
    }
/** The same, and id_full and id_masked. */
#define EXEC_LANES(id, D, A, B, C, EXPR)                                                                     \
    EXEC_ROW(id, D, A, B, C, EXPR)                                                                           \
    BOTH_HANDLERS(id)

/** A bit for every lane's truth, which is all zeros or all ones. Vectors of 64 bytes have truths as wide as
 * the lanes, others a byte each. */
#ifdef __AVX512DQ__
#define EXEC_TRUTH(lane) __typeof__(__builtin_choose_expr(sizeof(lane) == 8, (int64_t)0, (int32_t)0))
static inline uint32_t exec_mask(const void *truths, unsigned width) {
    const __m512i *row = truths;
    if (width == 4) return _mm512_movepi32_mask(row[0]) | (uint32_t)_mm512_movepi32_mask(row[1]) << 16;
    return _mm512_movepi64_mask(row[0]) | (uint32_t)_mm512_movepi64_mask(row[1]) << 8 |
           (uint32_t)_mm512_movepi64_mask(row[2]) << 16 | (uint32_t)_mm512_movepi64_mask(row[3]) << 24;
}
#else
#define EXEC_TRUTH(lane) int8_t
static inline uint32_t exec_mask(const void *truths, unsigned width) {
    (void)width;
#if defined(__AVX2__)
    return (uint32_t)_mm256_movemask_epi8(_mm256_load_si256((const __m256i *)truths));
#elif defined(__SSE2__)
    const __m128i *halves = truths;
    return (uint32_t)_mm_movemask_epi8(halves[0]) | (uint32_t)_mm_movemask_epi8(halves[1]) << 16;
#else
    const int8_t *bytes = truths;
    uint32_t mask = 0;
    for (unsigned i = 0; i < GPU_WARP_LANES; i++)
        mask |= (uint32_t)(bytes[i] & 1) << i;
    return mask;
#endif
}
#endif

/** EXEC_COMPARE(id, lane type, expression): defines the comparison id_mask and setp's handlers id_full and
 * id_masked. */
#define EXEC_COMPARE(id, A, EXPR)                                                                            \
    static inline uint32_t id##_mask(const void *first, const void *second) {                                \
        const A *a = first, *b = second;                                                                     \
        EXEC_TRUTH(A) truths[GPU_WARP_LANES] __attribute__((aligned(64)));                                   \
        for (unsigned i = 0; i < GPU_WARP_LANES; i++) {                                                      \
            A x = a[i], y = b[i];                                                                            \
            truths[i] = (EXPR) ? -1 : 0;                                                                     \
        }                                                                                                    \
        return exec_mask(truths, sizeof(A));                                                                 \
    }                                                                                                        \
    static const GpuInstruction *id##_full(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {        \
        (void)mask;                                                                                          \
        *(U32 *)gpu_row(warp, ins->d) = id##_mask(gpu_row(warp, ins->a), gpu_row(warp, ins->b));             \
        return ins->next;                                                                                    \
    }                                                                                                        \
    static const GpuInstruction *id##_masked(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {      \
        U32 *p = gpu_row(warp, ins->d);                                                                      \
        *p = (*p & ~mask) | (id##_mask(gpu_row(warp, ins->a), gpu_row(warp, ins->b)) & mask);                \
        return ins->next;                                                                                    \
    }
