/* exec_float.c - f32 and f64 in their plain forms: rounded to nearest, subnormals kept (PTX
 * ISA 9.7.3, 9.7.6).
 *
 * Other roundings, .ftz and .sat are done lane by lane in exec_scalar.c. Which NaN comes of it: nan.h.
 * LIMIT: a card's assembler folds constants to other NaNs.
 */
#include "gpu/alu/approximate.h"
#include "gpu/alu/exec_rows.h"
#include "gpu/alu/nan.h"
#include "gpu/alu/scalar.h"

#define NAN64 __builtin_nan("") /* of min and max, which have no payload to hand on */

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
