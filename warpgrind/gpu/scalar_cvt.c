/* scalar_cvt.c - cvt between any two types on one lane (PTX ISA 9.7.9.21).
 *
 * Floats of all types are exact as doubles, so a conversion is: to a double or a whole number, round as
 * asked, to bits.
 */
#include "gpu/half.h"
#include "gpu/scalar.h"

#include <fenv.h>
#include <math.h>

typedef uint64_t u64;

static bool type_is_float(PtxType type) {
    return type == PTX_F32 || type == PTX_F64 || type == PTX_F16 || type == PTX_BF16 || type == PTX_F16X2 ||
           type == PTX_BF16X2;
}

static double round_whole(double value, PtxRounding rounding) {
    switch ((int)rounding) {
    case PTX_RNI:
        return nearbyint(value);
    case PTX_RMI:
        return floor(value);
    case PTX_RPI:
        return ceil(value);
    case PTX_RZI:
        return trunc(value);
    default:
        return value;
    }
}

static u64 whole_limit(PtxType type, bool high) {
    unsigned bits = 8 * ptx_type_bytes(type);
    if (scalar_is_signed(type)) {
        u64 top = UINT64_C(1) << (bits - 1);
        return high ? top - 1 : 0 - top;
    }
    return high ? scalar_low(UINT64_MAX, bits / 8) : 0;
}

static u64 whole_from_float(const PtxInstruction *source, u64 bits) {
    PtxType to = source->type, from = source->source_type;
    double value = scalar_value(from, bits, source->modifiers.ftz);
    if (value != value) {
        bool zero = from != PTX_F64 && ptx_type_bytes(to) < 8;
        return zero ? 0 : UINT64_C(1) << (8 * ptx_type_bytes(to) - 1);
    }
    PtxRounding rounding = source->modifiers.rounding;
    double whole = round_whole(value, rounding == PTX_ROUND_DEFAULT ? PTX_RZI : rounding);
    unsigned size = 8 * ptx_type_bytes(to) - scalar_is_signed(to);
    if (whole >= ldexp(1, (int)size)) return whole_limit(to, true);
    if (scalar_is_signed(to))
        return whole <= -ldexp(1, (int)size) ? whole_limit(to, false) : (u64)(int64_t)whole;
    return whole <= 0 ? 0 : (u64)whole;
}

static u64 whole_from_whole(const PtxInstruction *source, u64 bits) {
    PtxType to = source->type, from = source->source_type;
    u64 value = scalar_number(from, bits);
    if (!source->modifiers.sat) return value;
    bool negative = scalar_is_signed(from) && (int64_t)value < 0;
    if (negative) {
        u64 low = whole_limit(to, false);
        return scalar_is_signed(to) && (int64_t)value >= (int64_t)low ? value : low;
    }
    u64 high = whole_limit(to, true);
    return value > high ? high : value;
}

/** A whole number as a double: when it has more bits than fit, the last one tells that something was cut off.
 */
static double double_to_odd(u64 value, bool negative) {
    u64 size = negative ? 0 - value : value;
    bool large = size >> 53 != 0;
    double result = large ? ldexp((double)(size >> 11 | ((size & 0x7ff) != 0)), 11) : (double)size;
    return negative ? -result : result;
}

static u64 float_from_whole(const PtxInstruction *source, u64 bits) {
    PtxType to = source->type, from = source->source_type;
    u64 value = scalar_number(from, bits);
    bool negative = scalar_is_signed(from) && (int64_t)value < 0;
    PtxRounding rounding = source->modifiers.rounding;
    if (to != PTX_F64)
        return scalar_bits(to, double_to_odd(value, negative), rounding, false, source->modifiers.sat);
    static const int modes[] = {
        [PTX_RN] = FE_TONEAREST, [PTX_RZ] = FE_TOWARDZERO, [PTX_RM] = FE_DOWNWARD, [PTX_RP] = FE_UPWARD};
    volatile u64 size = value;
    fesetround(rounding >= PTX_RN && rounding <= PTX_RP ? modes[rounding] : FE_TONEAREST);
    volatile double result = scalar_is_signed(from) ? (double)(int64_t)size : (double)size;
    fesetround(FE_TONEAREST);
    return scalar_bits(PTX_F64, result, PTX_RN, false, source->modifiers.sat);
}

static u64 float_from_float(const PtxInstruction *source, PtxType to, u64 bits) {
    const PtxModifiers *words = &source->modifiers;
    bool flush = words->ftz && (to == PTX_F32 || source->source_type == PTX_F32);
    double value = scalar_value(source->source_type, bits, flush && source->source_type == PTX_F32);
    return scalar_bits(to, round_whole(value, words->rounding), words->rounding, flush && to == PTX_F32,
                       words->sat);
}

uint64_t scalar_cvt(const GpuInstruction *ins, const uint64_t s[4]) {
    const PtxInstruction *source = ins->source;
    PtxType to = source->type;
    bool pair = (to == PTX_F16X2 || to == PTX_BF16X2) && ins->count > 1;
    if (pair) {
        PtxType half = to == PTX_F16X2 ? PTX_F16 : PTX_BF16;
        return float_from_float(source, half, s[0]) << 16 | float_from_float(source, half, s[1]);
    }
    if (type_is_float(to))
        return type_is_float(source->source_type) ? float_from_float(source, to, s[0])
                                                  : float_from_whole(source, s[0]);
    u64 whole =
        type_is_float(source->source_type) ? whole_from_float(source, s[0]) : whole_from_whole(source, s[0]);
    return scalar_number(to, whole);
}
