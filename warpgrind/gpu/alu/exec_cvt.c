/* exec_cvt.c - the common conversions between whole numbers and floats of 32 and 64 bits (PTX ISA 9.7.9.21).
 *
 * Rows are for destination registers as wide as the type. Every other conversion, and those with .sat, .ftz
 * or another rounding, goes lane by lane through exec_scalar.c. Floats become whole numbers saturated; NaN
 * becomes 0, or the number with only the top bit set when one of the types has 64 bits.
 */
#include "gpu/alu/exec_rows.h"

#define NAN32 __builtin_nanf("0x3fffff")

EXEC_INLINE float canon(float v) {
    return v == v ? v : NAN32;
}
/* The conversion proper only sees values in range. */
EXEC_INLINE int32_t s32_of(double v) {
    double low = v < -2147483648.0 ? -2147483648.0 : v;
    double both = low > 2147483647.0 ? 2147483647.0 : low;
    return (int32_t)(v == v ? both : 0);
}
EXEC_INLINE uint32_t u32_of(double v) {
    double low = v > 0 ? v : 0;
    return (uint32_t)(int64_t)(low > 4294967295.0 ? 4294967295.0 : low);
}

OPERATION(s32_from_s8, S32, U32, U32, U32, (int8_t)x)
OPERATION(u32_from_u8, U32, U32, U32, U32, (uint8_t)x)
OPERATION(s32_from_s16, S32, U32, U32, U32, (int16_t)x)
OPERATION(u32_from_u16, U32, U32, U32, U32, (uint16_t)x)
OPERATION(low_of_64, U32, U64, U32, U32, (uint32_t)x)
OPERATION(same32, U32, U32, U32, U32, x)
OPERATION(same64, U64, U64, U32, U32, x)
OPERATION(s64_from_s8, S64, U32, U32, U32, (int8_t)x)
OPERATION(u64_from_u8, U64, U32, U32, U32, (uint8_t)x)
OPERATION(s64_from_s16, S64, U32, U32, U32, (int16_t)x)
OPERATION(u64_from_u16, U64, U32, U32, U32, (uint16_t)x)
OPERATION(s64_from_s32, S64, S32, U32, U32, x)
OPERATION(u64_from_u32, U64, U32, U32, U32, x)
OPERATION(f32_from_s32, F32, S32, U32, U32, (float)x)
OPERATION(f32_from_u32, F32, U32, U32, U32, (float)x)
OPERATION(f32_from_s64, F32, S64, U32, U32, (float)x)
OPERATION(f32_from_u64, F32, U64, U32, U32, (float)x)
OPERATION(f64_from_s32, F64, S32, U32, U32, (double)x)
OPERATION(f64_from_u32, F64, U32, U32, U32, (double)x)
OPERATION(f64_from_s64, F64, S64, U32, U32, (double)x)
OPERATION(f64_from_u64, F64, U64, U32, U32, (double)x)
OPERATION(f64_from_f32, F64, F32, U32, U32, x == x ? (double)x : __builtin_nan(""))
OPERATION(f32_from_f64, F32, F64, U32, U32, canon((float)x))
OPERATION(s32_from_f32, S32, F32, U32, U32, s32_of((double)x))
OPERATION(u32_from_f32, U32, F32, U32, U32, u32_of((double)x))

#define CVT(to, from, mode, id) ROW(cvt, to, from, mode, id)
#define TO_BOTH(width, from, id) CVT(U##width, from, 0, id) CVT(S##width, from, 0, id)

static const GpuOperation operations[] = {
    TO_BOTH(32, S8, s32_from_s8) TO_BOTH(32, U8, u32_from_u8) TO_BOTH(32, S16, s32_from_s16) TO_BOTH(
        32, U16, u32_from_u16) TO_BOTH(32, U32, same32) TO_BOTH(32, S32, same32) TO_BOTH(32, U64, low_of_64)
        TO_BOTH(32, S64, low_of_64) TO_BOTH(16, U32, same32) TO_BOTH(16, S32, same32) TO_BOTH(
            16, U64, low_of_64) TO_BOTH(16, S64, low_of_64) TO_BOTH(16, U16, same32) TO_BOTH(16, S16, same32)
            TO_BOTH(16, U8, u32_from_u8) TO_BOTH(16, S8, s32_from_s8) TO_BOTH(64, S8, s64_from_s8)
                TO_BOTH(64, U8, u64_from_u8) TO_BOTH(64, S16, s64_from_s16) TO_BOTH(64, U16, u64_from_u16)
                    TO_BOTH(64, S32, s64_from_s32) TO_BOTH(64, U32, u64_from_u32) TO_BOTH(64, S64, same64)
                        TO_BOTH(64, U64, same64) CVT(F32, S32, PTX_RN, f32_from_s32)
                            CVT(F32, U32, PTX_RN, f32_from_u32) CVT(F32, S64, PTX_RN, f32_from_s64)
                                CVT(F32, U64, PTX_RN, f32_from_u64) CVT(F64, S32, PTX_RN, f64_from_s32)
                                    CVT(F64, U32, PTX_RN, f64_from_u32) CVT(F64, S64, PTX_RN, f64_from_s64)
                                        CVT(F64, U64, PTX_RN, f64_from_u64) CVT(F64, F32, 0, f64_from_f32)
                                            CVT(F32, F64, PTX_RN, f32_from_f64)
                                                CVT(S32, F32, PTX_RZI, s32_from_f32)
                                                    CVT(U32, F32, PTX_RZI, u32_from_f32)};
OPERATIONS(exec_cvt, operations)
