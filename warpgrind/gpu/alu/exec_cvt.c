/* exec_cvt.c - the common conversions between whole numbers and floats of 32 and 64 bits (PTX ISA 9.7.9.21).
 *
 * Rows are for destination registers as wide as the type. Every other conversion, and those with .sat, .ftz
 * or another rounding, goes lane by lane through exec_scalar.c. Floats become whole numbers saturated; NaN
 * becomes 0, or the number with only the top bit set when one of the types has 64 bits.
 */
#include "base/minmax.h"
#include "gpu/alu/exec_rows.h"
#include "gpu/alu/nan.h"

/* The conversion proper only sees values in range. */
EXEC_INLINE int32_t s32_of(double v) {
    double low = MAX(-2147483648.0, v);
    double both = MIN(2147483647.0, low);
    return (int32_t)(v == v ? both : 0);
}
EXEC_INLINE uint32_t u32_of(double v) {
    double low = MAX(v, 0);
    return (uint32_t)(int64_t)MIN(4294967295.0, low);
}

#define EXEC_NAME exec_cvt
#define EXEC_TABLE "gpu/alu/exec_cvt.def"
#include "gpu/alu/exec_table.h"
