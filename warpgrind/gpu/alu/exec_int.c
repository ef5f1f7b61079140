/* exec_int.c - integer arithmetic, logic, shifts, comparison, selection and moves (PTX
 * ISA 9.7.1, 9.7.6, 9.7.8, 9.7.9.2).
 *
 * All arithmetic is in unsigned types, so that it wraps. Registers of 16 bits lie in lanes of 32 whose upper
 * half is not looked at. What PTX leaves open is fixed as ptxas fixes it: a quotient and a remainder by zero
 * are all ones.
 */
#include "gpu/alu/exec_rows.h"

#define H(v) ((uint16_t)(v))
#define SH(v) ((int16_t)(v))

/* ---- selection: c of selp is a predicate, not a row ---- */
#define SELECT(id, T)                                                                                        \
    EXEC_INLINE const GpuInstruction *id##_lanes(const GpuWarp *warp, const GpuInstruction *ins,             \
                                                 uint32_t mask, bool all) {                                  \
        T *d = gpu_row(warp, ins->d);                                                                        \
        const T *a = gpu_row(warp, ins->a), *b = gpu_row(warp, ins->b);                                      \
        uint32_t p = *(const U32 *)gpu_row(warp, ins->c) ^ (ins->flip_c ? UINT32_MAX : 0);                   \
        EXEC_INDEPENDENT                                                                                     \
        for (unsigned i = 0; i < GPU_WARP_LANES; i++) {                                                      \
            T r = p >> i & 1 ? a[i] : b[i];                                                                  \
            d[i] = all || (mask >> i & 1) ? r : d[i];                                                        \
        }                                                                                                    \
        return ins->next;                                                                                    \
    }                                                                                                        \
    BOTH_HANDLERS(id)
SELECT(selp32, U32)
SELECT(selp64, U64)

/* ---- 64-bit words of the local frame: two rows of halves ---- */
EXEC_INLINE const GpuInstruction *frame_load64_lanes(const GpuWarp *warp, const GpuInstruction *ins,
                                                     uint32_t mask, bool all) {
    U64 *d = gpu_row(warp, ins->d);
    const U32 *low = gpu_row(warp, ins->a), *high = low + GPU_WARP_LANES;
    EXEC_INDEPENDENT
    for (unsigned i = 0; i < GPU_WARP_LANES; i++) {
        U64 r = (U64)low[i] | (U64)high[i] << 32;
        if (all || (mask >> i & 1)) d[i] = r;
    }
    return ins->next;
}
/** A value of 64 bits goes to two words of the local frame, which are two rows: the low halves of all
 * lanes, and behind them the high halves. */
EXEC_INLINE const GpuInstruction *frame_store64_lanes(const GpuWarp *warp, const GpuInstruction *ins,
                                                      uint32_t mask, bool all) {
    const U64 *a = gpu_row(warp, ins->a);
    U32 *low = gpu_row(warp, ins->d), *high = low + GPU_WARP_LANES;
    EXEC_INDEPENDENT
    for (unsigned i = 0; i < GPU_WARP_LANES; i++)
        low[i] = all || (mask >> i & 1) ? (U32)a[i] : low[i];
    EXEC_INDEPENDENT
    for (unsigned i = 0; i < GPU_WARP_LANES; i++)
        high[i] = all || (mask >> i & 1) ? (U32)(a[i] >> 32) : high[i];
    return ins->next;
}
BOTH_HANDLERS(frame_load64)
BOTH_HANDLERS(frame_store64)

/* ---- predicates as words ---- */
#define PREDICATE(id, EXPR)                                                                                  \
    static const GpuInstruction *id##_masked(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {      \
        U32 *d = gpu_row(warp, ins->d);                                                                      \
        uint32_t x = *(const U32 *)gpu_row(warp, ins->a), y = *(const U32 *)gpu_row(warp, ins->b);           \
        (void)y;                                                                                             \
        *d = (*d & ~mask) | ((EXPR)&mask);                                                                   \
        return ins->next;                                                                                    \
    }                                                                                                        \
    static const GpuInstruction *id##_full(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {        \
        return id##_masked(warp, ins, mask);                                                                 \
    }
PREDICATE(pred_mov, x)
PREDICATE(pred_not, ~x)
PREDICATE(pred_and, (x)&y)
PREDICATE(pred_or, x | y)
PREDICATE(pred_xor, x ^ y)

/* ---- quotients ---- */

/* Through doubles, since vectors divide those alone. The next whole number above x / y is 1 / y away, which
 * is 2^-32 of it or more, and a double has 53 bits: none is rounded up to it. */
EXEC_INLINE U32 quotient(U32 x, U32 y) {
    return (U32)((double)x / (double)y);
}
EXEC_INLINE U32 rest(U32 x, U32 y) {
    return x - quotient(x, y) * y;
}
EXEC_INLINE U32 magnitude(S32 x) {
    return x < 0 ? 0 - (U32)x : (U32)x;
}
EXEC_INLINE U32 with_sign(U32 size, S32 sign) {
    return sign < 0 ? 0 - size : size;
}

EXEC_INLINE bool fit_in_words(const U64 *a, const U64 *b) {
    U64 any = 0;
    for (unsigned i = 0; i < GPU_WARP_LANES; i++)
        any |= a[i] | b[i];
    return any >> 32 == 0;
}

/** For 64 bits, which mostly hold no more than 32: the quotient of x and y, y != 0, in both. */
#define WIDE_QUOTIENT(id, T, NARROW, WIDE)                                                                   \
    EXEC_ROW(id##_wide, U64, T, T, T, y ? (WIDE) : UINT64_MAX)                                               \
    EXEC_ROW(id##_narrow, U64, U64, U64, U64, (U32)y ? NARROW((U32)x, (U32)y ? (U32)y : 1) : UINT64_MAX)     \
    EXEC_INLINE const GpuInstruction *id##_lanes(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask,    \
                                                 bool all) {                                                 \
        if (fit_in_words(gpu_row(warp, ins->a), gpu_row(warp, ins->b)))                                      \
            return id##_narrow_lanes(warp, ins, mask, all);                                                  \
        return id##_wide_lanes(warp, ins, mask, all);                                                        \
    }                                                                                                        \
    BOTH_HANDLERS(id)
WIDE_QUOTIENT(div_u64, U64, quotient, x / (y ? y : 1))
WIDE_QUOTIENT(div_s64, S64, quotient, y == -1 ? 0 - (U64)x : (U64)(x / (y == 0 || y == -1 ? 1 : y)))
WIDE_QUOTIENT(rem_u64, U64, rest, x % (y ? y : 1))
WIDE_QUOTIENT(rem_s64, S64, rest, y == -1 ? 0 : (U64)(x % (y == 0 || y == -1 ? 1 : y)))

#define EXEC_NAME exec_int
#define EXEC_TABLE "gpu/alu/exec_int.def"
#include "gpu/alu/exec_table.h"
