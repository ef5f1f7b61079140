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

/* ---- add to rem ---- */
OPERATION(add16, U32, U32, U32, U32, H(x + y))
OPERATION(add32, U32, U32, U32, U32, x + y)
OPERATION(add64, U64, U64, U64, U64, x + y)
OPERATION(sub16, U32, U32, U32, U32, H(x - y))
OPERATION(sub32, U32, U32, U32, U32, x - y)
OPERATION(sub64, U64, U64, U64, U64, x - y)
OPERATION(mul16, U32, U32, U32, U32, H(x *y))
OPERATION(mul32, U32, U32, U32, U32, x *y)
OPERATION(mul64, U64, U64, U64, U64, x *y)
OPERATION(mulhi_u16, U32, U32, U32, U32, (U32)H(x) * H(y) >> 16)
OPERATION(mulhi_s16, U32, U32, U32, U32, H((S32)SH(x) * SH(y) >> 16))
OPERATION(mulhi_u32, U32, U32, U32, U32, (U64)x *y >> 32)
OPERATION(mulhi_s32, S32, S32, S32, S32, (S64)x *y >> 32)
OPERATION(mulhi_u64, U64, U64, U64, U64, (U128)x *y >> 64)
OPERATION(mulhi_s64, S64, S64, S64, S64, (S128)x *y >> 64)
OPERATION(mulwide_u16, U32, U32, U32, U32, (U32)H(x) * H(y))
OPERATION(mulwide_s16, U32, U32, U32, U32, (S32)SH(x) * SH(y))
OPERATION(mulwide_u32, U64, U32, U32, U32, (U64)x *y)
OPERATION(mulwide_s32, U64, S32, S32, S32, (S64)x *y)
OPERATION(mad16, U32, U32, U32, U32, H(x *y + z))
OPERATION(mad32, U32, U32, U32, U32, x *y + z)
OPERATION(mad64, U64, U64, U64, U64, x *y + z)
OPERATION(madhi_u16, U32, U32, U32, U32, H(((U32)H(x) * H(y) >> 16) + z))
OPERATION(madhi_s16, U32, U32, U32, U32, H((U32)((S32)SH(x) * SH(y) >> 16) + z))
OPERATION(madhi_u32, U32, U32, U32, U32, (U32)((U64)x *y >> 32) + z)
OPERATION(madhi_s32, U32, S32, S32, U32, (U32)((S64)x *y >> 32) + z)
OPERATION(madhi_u64, U64, U64, U64, U64, (U64)((U128)x *y >> 64) + z)
OPERATION(madhi_s64, U64, S64, S64, U64, (U64)((S128)x *y >> 64) + z)
OPERATION(madwide_u16, U32, U32, U32, U32, (U32)H(x) * H(y) + z)
OPERATION(madwide_s16, U32, U32, U32, U32, (U32)((S32)SH(x) * SH(y)) + z)
OPERATION(madwide_u32, U64, U32, U32, U64, (U64)x *y + z)
OPERATION(madwide_s32, U64, S32, S32, U64, (U64)((S64)x *y) + z)
OPERATION(div_u16, U32, U32, U32, U32, H(y) ? H(x) / (H(y) ? H(y) : 1) : 0xffff)
OPERATION(div_s16, U32, U32, U32, U32, H(y) ? H((S32)SH(x) / (H(y) ? (S32)SH(y) : 1)) : 0xffff)
OPERATION(div_u32, U32, U32, U32, U32, y ? x / (y ? y : 1) : UINT32_MAX)
OPERATION(div_s32, U32, S32, S32, S32, y ? (U32)((S64)x / (y ? y : 1)) : UINT32_MAX)
OPERATION(div_u64, U64, U64, U64, U64, y ? x / (y ? y : 1) : UINT64_MAX)
OPERATION(div_s64, U64, S64, S64, S64,
          y == 0    ? UINT64_MAX
          : y == -1 ? 0 - (U64)x
                    : (U64)(x / (y == 0 || y == -1 ? 1 : y)))
OPERATION(rem_u16, U32, U32, U32, U32, H(y) ? H(x) % (H(y) ? H(y) : 1) : 0xffff)
OPERATION(rem_s16, U32, U32, U32, U32, H(y) ? H((S32)SH(x) % (H(y) ? (S32)SH(y) : 1)) : 0xffff)
OPERATION(rem_u32, U32, U32, U32, U32, y ? x % (y ? y : 1) : UINT32_MAX)
OPERATION(rem_s32, U32, S32, S32, S32, y ? (U32)((S64)x % (y ? y : 1)) : UINT32_MAX)
OPERATION(rem_u64, U64, U64, U64, U64, y ? x % (y ? y : 1) : UINT64_MAX)
OPERATION(rem_s64, U64, S64, S64, S64,
          y == 0    ? UINT64_MAX
          : y == -1 ? 0
                    : (U64)(x % (y == 0 || y == -1 ? 1 : y)))
OPERATION(sad_u16, U32, U32, U32, U32, H((H(x) > H(y) ? x - y : y - x) + z))
OPERATION(sad_s16, U32, U32, U32, U32, H((SH(x) > SH(y) ? x - y : y - x) + z))
OPERATION(sad_u32, U32, U32, U32, U32, (x > y ? x - y : y - x) + z)
OPERATION(sad_s32, U32, U32, U32, U32, ((S32)x > (S32)y ? x - y : y - x) + z)
OPERATION(sad_u64, U64, U64, U64, U64, (x > y ? x - y : y - x) + z)
OPERATION(sad_s64, U64, U64, U64, U64, ((S64)x > (S64)y ? x - y : y - x) + z)
OPERATION(abs_s16, U32, U32, U32, U32, H(SH(x) < 0 ? 0 - x : x))
OPERATION(abs_s32, U32, U32, U32, U32, (S32)x < 0 ? 0 - x : x)
OPERATION(abs_s64, U64, U64, U64, U64, (S64)x < 0 ? 0 - x : x)
OPERATION(neg16, U32, U32, U32, U32, H(0 - x))
OPERATION(neg32, U32, U32, U32, U32, 0 - x)
OPERATION(neg64, U64, U64, U64, U64, 0 - x)
OPERATION(min_u16, U32, U32, U32, U32, H(x) < H(y) ? H(x) : H(y))
OPERATION(min_s16, U32, U32, U32, U32, SH(x) < SH(y) ? H(x) : H(y))
OPERATION(min_u32, U32, U32, U32, U32, x < y ? x : y)
OPERATION(min_s32, S32, S32, S32, S32, x < y ? x : y)
OPERATION(min_u64, U64, U64, U64, U64, x < y ? x : y)
OPERATION(min_s64, S64, S64, S64, S64, x < y ? x : y)
OPERATION(max_u16, U32, U32, U32, U32, H(x) > H(y) ? H(x) : H(y))
OPERATION(max_s16, U32, U32, U32, U32, SH(x) > SH(y) ? H(x) : H(y))
OPERATION(max_u32, U32, U32, U32, U32, x > y ? x : y)
OPERATION(max_s32, S32, S32, S32, S32, x > y ? x : y)
OPERATION(max_u64, U64, U64, U64, U64, x > y ? x : y)
OPERATION(max_s64, S64, S64, S64, S64, x > y ? x : y)
OPERATION(popc32, U32, U32, U32, U32, __builtin_popcount(x))
OPERATION(popc64, U32, U64, U32, U32, __builtin_popcountll(x))
OPERATION(clz32, U32, U32, U32, U32, x ? __builtin_clz(x) : 32)
OPERATION(clz64, U32, U64, U32, U32, x ? __builtin_clzll(x) : 64)

/* ---- logic and shifts ---- */
OPERATION(and32, U32, U32, U32, U32, x &y)
OPERATION(and64, U64, U64, U64, U64, x &y)
OPERATION(or32, U32, U32, U32, U32, x | y)
OPERATION(or64, U64, U64, U64, U64, x | y)
OPERATION(xor32, U32, U32, U32, U32, x ^ y)
OPERATION(xor64, U64, U64, U64, U64, x ^ y)
OPERATION(not32, U32, U32, U32, U32, ~x)
OPERATION(not64, U64, U64, U64, U64, ~x)
OPERATION(cnot16, U32, U32, U32, U32, H(x) == 0)
OPERATION(cnot32, U32, U32, U32, U32, x == 0)
OPERATION(cnot64, U64, U64, U64, U64, x == 0)
OPERATION(shl16, U32, U32, U32, U32, y > 15 ? 0 : H(x << (y & 15)))
OPERATION(shl32, U32, U32, U32, U32, y > 31 ? 0 : x << (y & 31))
OPERATION(shl64, U64, U64, U32, U32, y > 63 ? 0 : x << (y & 63))
OPERATION(shr_u16, U32, U32, U32, U32, y > 15 ? 0 : (U32)H(x) >> (y & 15))
OPERATION(shr_s16, U32, U32, U32, U32, H(SH(x) >> (y > 15 ? 15 : y)))
OPERATION(shr_u32, U32, U32, U32, U32, y > 31 ? 0 : x >> (y & 31))
OPERATION(shr_s32, S32, S32, U32, U32, x >> (y > 31 ? 31 : y))
OPERATION(shr_u64, U64, U64, U32, U32, y > 63 ? 0 : x >> (y & 63))
OPERATION(shr_s64, S64, S64, U32, U32, x >> (y > 63 ? 63 : y))

/* ---- moves, selection: c of selp is a predicate, not a row ---- */
OPERATION(mov32, U32, U32, U32, U32, x)
OPERATION(mov64, U64, U64, U64, U64, x)
OPERATION(slct32_s32, U32, U32, U32, S32, z >= 0 ? x : y)
OPERATION(slct64_s32, U64, U64, U64, S32, z >= 0 ? x : y)
OPERATION(slct32_f32, U32, U32, U32, F32, z >= 0 ? x : y)
OPERATION(slct64_f32, U64, U64, U64, F32, z >= 0 ? x : y)

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
        return ins + 1;                                                                                      \
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
        d[i] = all || (mask >> i & 1) ? r : d[i];
    }
    return ins + 1;
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
    return ins + 1;
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
        return ins + 1;                                                                                      \
    }                                                                                                        \
    static const GpuInstruction *id##_full(GpuWarp *warp, const GpuInstruction *ins, uint32_t mask) {        \
        return id##_masked(warp, ins, mask);                                                                 \
    }
PREDICATE(pred_mov, x)
PREDICATE(pred_not, ~x)
PREDICATE(pred_and, x &y)
PREDICATE(pred_or, x | y)
PREDICATE(pred_xor, x ^ y)

/* ---- comparisons ---- */
COMPARE(eq16, U32, H(x) == H(y))
COMPARE(eq32, U32, x == y)
COMPARE(eq64, U64, x == y)
COMPARE(ne16, U32, H(x) != H(y))
COMPARE(ne32, U32, x != y)
COMPARE(ne64, U64, x != y)
COMPARE(lt_u16, U32, H(x) < H(y))
COMPARE(lt_s16, U32, SH(x) < SH(y))
COMPARE(lt_u32, U32, x < y)
COMPARE(lt_s32, S32, x < y)
COMPARE(lt_u64, U64, x < y)
COMPARE(lt_s64, S64, x < y)
COMPARE(le_u16, U32, H(x) <= H(y))
COMPARE(le_s16, U32, SH(x) <= SH(y))
COMPARE(le_u32, U32, x <= y)
COMPARE(le_s32, S32, x <= y)
COMPARE(le_u64, U64, x <= y)
COMPARE(le_s64, S64, x <= y)
COMPARE(gt_u16, U32, H(x) > H(y))
COMPARE(gt_s16, U32, SH(x) > SH(y))
COMPARE(gt_u32, U32, x > y)
COMPARE(gt_s32, S32, x > y)
COMPARE(gt_u64, U64, x > y)
COMPARE(gt_s64, S64, x > y)
COMPARE(ge_u16, U32, H(x) >= H(y))
COMPARE(ge_s16, U32, SH(x) >= SH(y))
COMPARE(ge_u32, U32, x >= y)
COMPARE(ge_s32, S32, x >= y)
COMPARE(ge_u64, U64, x >= y)
COMPARE(ge_s64, S64, x >= y)

/* For types whose sign makes no difference: one row for each name of the width. */
#define SAME16(op, mode, id) ROW(op, U16, NONE, mode, id) ROW(op, S16, NONE, mode, id)
#define SAME32(op, mode, id) ROW(op, U32, NONE, mode, id) ROW(op, S32, NONE, mode, id)
#define SAME64(op, mode, id) ROW(op, U64, NONE, mode, id) ROW(op, S64, NONE, mode, id)
#define SAME(op, mode, id) SAME16(op, mode, id##16) SAME32(op, mode, id##32) SAME64(op, mode, id##64)
#define BITS(op, id) ROW(op, B16, NONE, 0, id##32) ROW(op, B32, NONE, 0, id##32) ROW(op, B64, NONE, 0, id##64)
#define SIGNED_TOO(op, mode, id)                                                                             \
    ROW(op, U16, NONE, mode, id##_u16)                                                                       \
    ROW(op, S16, NONE, mode, id##_s16)                                                                       \
    ROW(op, U32, NONE, mode, id##_u32)                                                                       \
    ROW(op, S32, NONE, mode, id##_s32) ROW(op, U64, NONE, mode, id##_u64) ROW(op, S64, NONE, mode, id##_s64)
#define WIDE(op, id)                                                                                         \
    ROW(op, U16, NONE, PTX_MODE_WIDE, id##_u16)                                                              \
    ROW(op, S16, NONE, PTX_MODE_WIDE, id##_s16)                                                              \
    ROW(op, U32, NONE, PTX_MODE_WIDE, id##_u32) ROW(op, S32, NONE, PTX_MODE_WIDE, id##_s32)
#define MOVES(type, id) ROW(mov, type, NONE, 0, id)
#define SLCT32(type) ROW(slct, type, S32, 0, slct32_s32) ROW(slct, type, F32, 0, slct32_f32)
#define SLCT64(type) ROW(slct, type, S32, 0, slct64_s32) ROW(slct, type, F32, 0, slct64_f32)
#define EQUALITY(type, width) COMPARE_ROW(type, EQ, eq##width) COMPARE_ROW(type, NE, ne##width)
#define ORDER(type, id)                                                                                      \
    COMPARE_ROW(type, LT, lt_##id)                                                                           \
    COMPARE_ROW(type, LE, le_##id) COMPARE_ROW(type, GT, gt_##id) COMPARE_ROW(type, GE, ge_##id)
#define UNSIGNED_ORDER(type, id)                                                                             \
    COMPARE_ROW(type, LO, lt_##id)                                                                           \
    COMPARE_ROW(type, LS, le_##id) COMPARE_ROW(type, HI, gt_##id) COMPARE_ROW(type, HS, ge_##id)

static const GpuOperation operations[] = {
    SAME(add, 0, add) SAME(sub, 0, sub) SAME(mul, PTX_MODE_LO, mul) SAME(mad, PTX_MODE_LO, mad) SIGNED_TOO(
        mul, PTX_MODE_HI, mulhi) SIGNED_TOO(mad, PTX_MODE_HI, madhi) WIDE(mul, mulwide) WIDE(mad, madwide)
        SIGNED_TOO(div, 0, div) SIGNED_TOO(rem, 0, rem) SIGNED_TOO(sad, 0, sad) SIGNED_TOO(min, 0, min)
            SIGNED_TOO(max, 0, max) ROW(abs, S16, NONE, 0, abs_s16) ROW(abs, S32, NONE, 0, abs_s32) ROW(
                abs, S64, NONE, 0, abs_s64) ROW(neg, S16, NONE, 0, neg16) ROW(neg, S32, NONE, 0, neg32)
                ROW(neg, S64, NONE, 0, neg64) ROW(popc, B32, NONE, 0, popc32) ROW(popc, B64, NONE, 0, popc64)
                    ROW(clz, B32, NONE, 0, clz32) ROW(clz, B64, NONE, 0, clz64) BITS(and, and) BITS(or, or)
                        BITS(xor, xor) BITS(not, not ) ROW(cnot, B16, NONE, 0, cnot16)
                            ROW(cnot, B32, NONE, 0, cnot32) ROW(cnot, B64, NONE, 0, cnot64)
                                ROW(shl, B16, NONE, 0, shl16) ROW(shl, B32, NONE, 0, shl32)
                                    ROW(shl, B64, NONE, 0, shl64) SIGNED_TOO(shr, 0, shr) ROW(shr, B16, NONE,
                                                                                              0, shr_u16)
                                        ROW(shr, B32, NONE, 0, shr_u32) ROW(shr, B64, NONE, 0, shr_u64) MOVES(
                                            U16, mov32) MOVES(S16, mov32) MOVES(B16, mov32) MOVES(F16, mov32)
                                            MOVES(BF16, mov32) MOVES(U32, mov32) MOVES(S32, mov32) MOVES(
                                                B32, mov32) MOVES(F32, mov32) MOVES(F16X2, mov32)
                                                MOVES(BF16X2, mov32) MOVES(U64, mov64) MOVES(
                                                    S64, mov64) MOVES(B64, mov64) MOVES(F64, mov64)
                                                    MOVES(PRED, pred_mov) ROW(selp, U16, NONE, 0, selp32) ROW(
                                                        selp, S16, NONE, 0,
                                                        selp32) ROW(selp, B16, NONE, 0, selp32)
                                                        ROW(selp, U32, NONE, 0, selp32) ROW(
                                                            selp, S32, NONE, 0,
                                                            selp32) ROW(selp, B32, NONE, 0, selp32)
                                                            ROW(selp, F32, NONE, 0, selp32) ROW(
                                                                selp, U64, NONE, 0,
                                                                selp64) ROW(selp, S64, NONE, 0, selp64)
                                                                ROW(selp, B64, NONE, 0, selp64) ROW(
                                                                    selp, F64, NONE, 0,
                                                                    selp64) SLCT32(U16) SLCT32(S16) SLCT32(B16) SLCT32(U32) SLCT32(S32) SLCT32(B32)
                                                                    SLCT32(
                                                                        F32) SLCT64(U64)
                                                                        SLCT64(
                                                                            S64) SLCT64(B64)
                                                                            SLCT64(
                                                                                F64) ROW(ld, B64, NONE, 0, frame_load64)
                                                                                ROW(st, B64, NONE, 0, frame_store64) ROW(
                                                                                    not,
                                                                                    PRED, NONE,
                                                                                    0,
                                                                                    pred_not) ROW(and, PRED, NONE, 0, pred_and)
                                                                                    ROW(or, PRED, NONE, 0, pred_or) ROW(
                                                                                        xor,
                                                                                        PRED, NONE,
                                                                                        0,
                                                                                        pred_xor) EQUALITY(U16,
                                                                                                           16) EQUALITY(S16, 16)
                                                                                        EQUALITY(B16, 16) EQUALITY(
                                                                                            U32,
                                                                                            32) EQUALITY(S32, 32)
                                                                                            EQUALITY(B32, 32) EQUALITY(
                                                                                                U64,
                                                                                                64) EQUALITY(S64, 64)
                                                                                                EQUALITY(B64, 64) ORDER(U16, u16) ORDER(
                                                                                                    S16,
                                                                                                    s16) ORDER(U32,
                                                                                                               u32) ORDER(S32, s32)
                                                                                                    ORDER(
                                                                                                        U64,
                                                                                                        u64) ORDER(S64,
                                                                                                                   s64)
                                                                                                        UNSIGNED_ORDER(U16, u16) UNSIGNED_ORDER(
                                                                                                            U32,
                                                                                                            u32)
                                                                                                            UNSIGNED_ORDER(
                                                                                                                U64,
                                                                                                                u64)
                                                                                                                UNSIGNED_ORDER(
                                                                                                                    S16,
                                                                                                                    u16)
                                                                                                                    UNSIGNED_ORDER(
                                                                                                                        S32,
                                                                                                                        u32)
                                                                                                                        UNSIGNED_ORDER(
                                                                                                                            S64,
                                                                                                                            u64)};
OPERATIONS(exec_int, operations)
