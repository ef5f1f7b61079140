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

#define EXEC_NAME exec_float
#define EXEC_TABLE "gpu/alu/exec_float.def"
#include "gpu/alu/exec_table.h"
