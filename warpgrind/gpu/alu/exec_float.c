/* exec_float.c - f32 and f64 in their plain forms: rounded to nearest, subnormals kept (PTX
 * ISA 9.7.3, 9.7.6).
 *
 * Other roundings, .ftz and .sat are done lane by lane in exec_scalar.c. A NaN that an f32 operation makes is
 * PTX's canonical one, 0x7fffffff. LIMIT: f64 keeps to one NaN as well, where a card hands on an operand's
 * payload (PTX ISA 9.7.3), and a card's assembler folds constants to other NaNs; so every run gives the same
 * bits.
 */
#include "gpu/alu/approximate.h"
#include "gpu/alu/exec_rows.h"
#include "gpu/alu/scalar.h"

#define NAN32 __builtin_nanf("0x3fffff")
#define NAN64 __builtin_nan("")
EXEC_INLINE float canon(float v) {
    return v == v ? v : NAN32;
}
EXEC_INLINE double canon64(double v) {
    return v == v ? v : NAN64;
}

/* -0 is less than +0; the other operand's number wins against a NaN. */
#define LESSER(id, T, BITS_T, NAN_, OF_EQUALS, LESS)                                                         \
    EXEC_INLINE T id(T x, T y) {                                                                             \
        union {                                                                                              \
            T value;                                                                                         \
            BITS_T bits;                                                                                     \
        } a = {x}, b = {y}, equal;                                                                           \
        equal.bits = a.bits OF_EQUALS b.bits;                                                                \
        T number = x LESS y ? x : y LESS x ? y : equal.value;                                                \
        T second = y != y ? x : number;                                                                      \
        T first = x != x ? y : second;                                                                       \
        return x != x && y != y ? NAN_ : first;                                                              \
    }
LESSER(min_f32, float, uint32_t, NAN32, |, <)
LESSER(max_f32, float, uint32_t, NAN32, &, >)
LESSER(min_f64, double, uint64_t, NAN64, |, <)
LESSER(max_f64, double, uint64_t, NAN64, &, >)

OPERATION(addf32, F32, F32, F32, F32, canon(x + y))
OPERATION(subf32, F32, F32, F32, F32, canon(x - y))
OPERATION(mulf32, F32, F32, F32, F32, canon(x *y))
OPERATION(fmaf32, F32, F32, F32, F32, canon(__builtin_fmaf(x, y, z)))
OPERATION(divf32, F32, F32, F32, F32, canon(x / y))
OPERATION(div_approxf32, F32, F32, F32, F32, canon(approximate_div(x, y)))
OPERATION(div_fullf32, F32, F32, F32, F32, canon(approximate_div_full(x, y)))
OPERATION(rcpf32, F32, F32, F32, F32, canon(1.0f / x))
OPERATION(sqrtf32, F32, F32, F32, F32, canon(__builtin_sqrtf(x)))
OPERATION(rsqrtf32, F32, F32, F32, F32, canon((float)(1.0 / __builtin_sqrt((double)x))))
OPERATION(negf32, U32, U32, U32, U32, x ^ 0x80000000u)
OPERATION(absf32, U32, U32, U32, U32, x & 0x7fffffffu)
OPERATION(minf32, F32, F32, F32, F32, min_f32(x, y))
OPERATION(maxf32, F32, F32, F32, F32, max_f32(x, y))
OPERATION(copysignf32, U32, U32, U32, U32, (x & 0x80000000u) | (y & 0x7fffffffu))
OPERATION(addf64, F64, F64, F64, F64, canon64(x + y))
OPERATION(subf64, F64, F64, F64, F64, canon64(x - y))
OPERATION(mulf64, F64, F64, F64, F64, canon64(x *y))
OPERATION(fmaf64, F64, F64, F64, F64, canon64(__builtin_fma(x, y, z)))
OPERATION(divf64, F64, F64, F64, F64, canon64(x / y))
OPERATION(rcpf64, F64, F64, F64, F64, canon64(1.0 / x))
OPERATION(sqrtf64, F64, F64, F64, F64, canon64(__builtin_sqrt(x)))
OPERATION(rsqrtf64, F64, F64, F64, F64, canon64(1.0 / __builtin_sqrt(x)))
OPERATION(negf64, U64, U64, U64, U64, x ^ 0x8000000000000000u)
OPERATION(absf64, U64, U64, U64, U64, x & 0x7fffffffffffffffu)
OPERATION(minf64, F64, F64, F64, F64, min_f64(x, y))
OPERATION(maxf64, F64, F64, F64, F64, max_f64(x, y))
OPERATION(copysignf64, U64, U64, U64, U64, (x & 0x8000000000000000u) | (y & 0x7fffffffffffffffu))
OPERATION(sinf32, F32, F32, F32, F32, canon(sinf(x)))
OPERATION(cosf32, F32, F32, F32, F32, canon(cosf(x)))
OPERATION(lg2f32, F32, F32, F32, F32, canon(log2f(x)))
OPERATION(ex2f32, F32, F32, F32, F32, canon(approximate_ex2(x)))
OPERATION(tanhf32, F32, F32, F32, F32, canon(tanhf(x)))

/* The u forms are true when an operand is NaN. */
#define COMPARISONS(T, LANE)                                                                                 \
    COMPARE(eq_##T, LANE, x == y)                                                                            \
    COMPARE(ne_##T, LANE, x<y || x> y)                                                                       \
    COMPARE(lt_##T, LANE, x < y)                                                                             \
    COMPARE(le_##T, LANE, x <= y)                                                                            \
    COMPARE(gt_##T, LANE, x > y)                                                                             \
    COMPARE(ge_##T, LANE, x >= y)                                                                            \
    COMPARE(equ_##T, LANE, !(x < y || x > y))                                                                \
    COMPARE(neu_##T, LANE, x != y)                                                                           \
    COMPARE(ltu_##T, LANE, !(x >= y))                                                                        \
    COMPARE(leu_##T, LANE, !(x > y))                                                                         \
    COMPARE(gtu_##T, LANE, !(x <= y))                                                                        \
    COMPARE(geu_##T, LANE, !(x < y))                                                                         \
    COMPARE(num_##T, LANE, x == x && y == y)                                                                 \
    COMPARE(nan_##T, LANE, x != x || y != y)
COMPARISONS(f32, F32)
COMPARISONS(f64, F64)

/* It never comes to rest here. */
/* clang-format off */
#define COMPARISON_ROWS(type, T)                                                                  \
    COMPARE_ROW(type, EQ, eq_##T) COMPARE_ROW(type, NE, ne_##T) COMPARE_ROW(type, LT, lt_##T)     \
    COMPARE_ROW(type, LE, le_##T) COMPARE_ROW(type, GT, gt_##T) COMPARE_ROW(type, GE, ge_##T)     \
    COMPARE_ROW(type, EQU, equ_##T) COMPARE_ROW(type, NEU, neu_##T) COMPARE_ROW(type, LTU, ltu_##T) \
    COMPARE_ROW(type, LEU, leu_##T) COMPARE_ROW(type, GTU, gtu_##T) COMPARE_ROW(type, GEU, geu_##T) \
    COMPARE_ROW(type, NUM, num_##T) COMPARE_ROW(type, NAN, nan_##T)
/* clang-format on */
#define BOTH(op, id) ROW(op, F32, NONE, 0, id##f32) ROW(op, F64, NONE, 0, id##f64)

/* clang-format off */
static const GpuOperation operations[] = {
    BOTH(add, add) BOTH(sub, sub) BOTH(mul, mul) BOTH(fma, fma) BOTH(mad, fma) BOTH(div, div)
    ROW(div, F32, NONE, GPU_DIV_APPROX, div_approxf32) ROW(div, F32, NONE, GPU_DIV_FULL, div_fullf32)
    BOTH(rcp, rcp) BOTH(sqrt, sqrt) BOTH(rsqrt, rsqrt) BOTH(neg, neg) BOTH(abs, abs) BOTH(min, min) BOTH(max, max)
    BOTH(copysign, copysign)
    ROW(sin, F32, NONE, 0, sinf32) ROW(cos, F32, NONE, 0, cosf32) ROW(lg2, F32, NONE, 0, lg2f32)
    ROW(ex2, F32, NONE, 0, ex2f32) ROW(tanh, F32, NONE, 0, tanhf32)
    COMPARISON_ROWS(F32, f32) COMPARISON_ROWS(F64, f64)};
/* clang-format on */
OPERATIONS(exec_float, operations)
