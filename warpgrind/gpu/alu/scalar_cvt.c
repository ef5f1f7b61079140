/* scalar_cvt.c - cvt between any two types on one lane (PTX ISA 9.7.9.21).
 *
 * Floats of all types are exact as doubles, so a conversion is: to a double or a whole number, round as
 * asked, to bits.
 */
#include "base/minmax.h"
#include "gpu/alu/half.h"
#include "gpu/alu/nan.h"
#include "gpu/alu/scalar.h"

#include <fenv.h>
#include <math.h>

typedef uint64_t u64;

static bool type_is_float(PtxType type) {
    return type == PTX_F32 || type == PTX_F64 || type == PTX_F16 || type == PTX_BF16 || type == PTX_F16X2 ||
           type == PTX_BF16X2;
}

/** Rounds to a whole number in the direction that .rni, .rmi, .rpi or .rzi asks for. */
static double round_whole(double value, PtxRounding rounding) {
    switch (rounding) {
    case PTX_RNI:
        return nearbyint(value);
    case PTX_RMI:
        return floor(value);
    case PTX_RPI:
        return ceil(value);
    case PTX_RZI:
        return trunc(value);
    case PTX_ROUND_DEFAULT: /* the rest make floats */
    case PTX_RN:
    case PTX_RZ:
    case PTX_RM:
    case PTX_RP:
    case PTX_RNA:
        break;
    }
    return value;
}

static u64 whole_limit(PtxType type, bool high) {
    unsigned bits = 8 * ptx_type_bytes(type);
    if (scalar_is_signed(type)) {
        u64 top = UINT64_C(1) << (bits - 1);
        if (high) return top - 1;
        return 0 - top;
    }
    if (high) return scalar_low(UINT64_MAX, bits / 8);
    return 0;
}

/** A float as a whole number: rounded, towards zero if the text says nothing, and saturated. NaN becomes
 * 0, or the number with only the top bit set where one of the types has 64 bits, as a card does it. */
static u64 whole_from_float(const PtxInstruction *source, u64 bits) {
    PtxType to = source->type, from = source->source_type;
    double value = scalar_value(from, bits, source->modifiers.ftz);
    if (value != value) {
        bool zero = from != PTX_F64 && ptx_type_bytes(to) < 8;
        if (zero) return 0;
        return UINT64_C(1) << (8 * ptx_type_bytes(to) - 1);
    }
    PtxRounding rounding = source->modifiers.rounding;
    double whole = round_whole(value, rounding == PTX_ROUND_DEFAULT ? PTX_RZI : rounding);
    unsigned size = 8 * ptx_type_bytes(to) - scalar_is_signed(to);
    if (whole >= ldexp(1, (int)size)) return whole_limit(to, true);
    if (scalar_is_signed(to))
        return whole <= -ldexp(1, (int)size) ? whole_limit(to, false) : (u64)(int64_t)whole;
    if (whole <= 0) return 0;
    return (u64)whole;
}

/** Cuts or extends a whole number, and with .sat keeps it between the limits of the new type. A negative
 * one can only be too small, another one only too large, so that 64 bits are enough to tell. */
static u64 whole_from_whole(const PtxInstruction *source, u64 bits) {
    PtxType to = source->type, from = source->source_type;
    u64 value = scalar_number(from, bits);
    if (!source->modifiers.sat) return value;
    bool negative = scalar_is_signed(from) && (int64_t)value < 0;
    if (negative) {
        u64 low = whole_limit(to, false);
        if (scalar_is_signed(to) && (int64_t)value >= (int64_t)low) return value;
        return low;
    }
    u64 high = whole_limit(to, true);
    return MIN(high, value);
}

/** A whole number as a double: when it has more bits than fit, the last one tells that something was cut off.
 */
static double double_to_odd(u64 value, bool negative) {
    u64 size = value;
    if (negative) size = 0 - value;
    bool large = size >> 53 != 0;
    double result;
    if (large)
        result = ldexp((double)(size >> 11 | ((size & 0x7ff) != 0)), 11);
    else
        result = (double)size;
    if (negative) return -result;
    return result;
}

/** A whole number as a float, rounded once. For f32 and halves the number first becomes a double rounded
 * to odd, which has bits enough for the second rounding to be right; for f64 the host rounds in the asked
 * direction. */
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
    volatile double result;
    if (scalar_is_signed(from))
        result = (double)(int64_t)size;
    else
        result = (double)size;
    fesetround(FE_TONEAREST);
    return scalar_bits(PTX_F64, result, PTX_RN, false, source->modifiers.sat);
}

/** .relu: what is negative becomes 0, and NaN stays. .satfinite: infinity becomes the largest number. */
static double clamped(const PtxModifiers *words, PtxType to, double value) {
    static const double largest[] = {
        [PTX_F16] = 65504.0, [PTX_BF16] = 0x1.fep127, [PTX_F32] = 0x1.fffffep127, [PTX_TF32] = 0x1.ffcp127};
    if (words->relu && value <= 0) value = 0;
    if (words->satfinite && fabs(value) > largest[to]) value = copysign(largest[to], value);
    return value;
}

static u64 float_from_float(const PtxInstruction *source, PtxType from, PtxType to, u64 bits) {
    const PtxModifiers *words = &source->modifiers;
    bool flush = words->ftz && (to == PTX_F32 || from == PTX_F32);
    double value = scalar_value(from, bits, flush && from == PTX_F32);
    if (words->relu || words->satfinite) value = clamped(words, to, value);
    if (value != value && !words->sat && !words->relu) {
        const NanBits32 narrow = {nan_narrowed((float)value, value)}, canonical = {NAN32};
        const NanBits64 wide = {nan_widened((double)canonical.value, canonical.value)};
        if (from == PTX_F64 && to == PTX_F32) return narrow.bits;
        if (from == PTX_F64 && to == PTX_F16)
            return (narrow.bits >> 16 & 0x8000) | 0x7e00 | (narrow.bits >> 13 & 0x1ff);
        if (flush && to == PTX_F64) return wide.bits; /* .ftz is an operation of f32 first */
    }
    return scalar_bits(to, round_whole(value, words->rounding), words->rounding, flush && to == PTX_F32,
                       words->sat);
}

/** A float of 19 bits in a register of 32, the low 13 of which are 0 (PTX ISA 5.2.3). */
static u64 tf32_from_float(const PtxInstruction *source, u64 bits) {
    const PtxModifiers *words = &source->modifiers;
    double value = scalar_value(PTX_F32, bits, false);
    if (value != value) return (bits | 0x400000) & UINT32_C(0xffffe000);
    uint32_t word = (uint32_t)bits;
    if (words->relu && value <= 0) word = 0;
    bool finite = !isinf(value);
    if (finite && words->rounding == PTX_RNA) word += 0x1000;
    if (finite && words->rounding == PTX_RN) word += 0xfff + (word >> 13 & 1);
    word &= ~0x1fffu;
    bool infinite = (word & 0x7fffffffu) == 0x7f800000u;
    if (infinite && words->satfinite) return (word & 0x80000000u) | 0x7f7fe000u;
    return word;
}

static PtxType half_of(PtxType pair) {
    if (pair == PTX_F16X2) return PTX_F16;
    return PTX_BF16;
}

static u64 tiny_from_float(const PtxInstruction *source, PtxType from, u64 bits) {
    double value = scalar_value(from, bits, false);
    if (source->modifiers.relu && value <= 0) value = 0;
    if (source->type == PTX_E4M3X2) return half_to_e4m3(value);
    return half_to_e5m2(value);
}

static u64 tiny_pair(const PtxInstruction *source, const u64 s[4]) {
    PtxType from = source->source_type;
    if (from == PTX_F32)
        return tiny_from_float(source, from, s[0]) << 8 | tiny_from_float(source, from, s[1]);
    from = half_of(from);
    return tiny_from_float(source, from, s[0] >> 16) << 8 | tiny_from_float(source, from, s[0] & 0xffff);
}

static u64 pair_from_tiny(const PtxInstruction *source, u64 bits) {
    u64 result = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint8_t tiny = (uint8_t)(bits >> 8 * i);
        double value;
        if (source->source_type == PTX_E4M3X2)
            value = half_from_e4m3(tiny);
        else
            value = half_from_e5m2(tiny);
        if (source->modifiers.relu && value <= 0) value = 0;
        result |= (u64)half_to_f16(value, PTX_RN) << 16 * i;
    }
    return result;
}

/** cvt in all its forms: pairs of small floats and tf32 have ways of their own; the others go from one of
 * two kinds, floats and whole numbers, to one of the two. */
uint64_t scalar_cvt(const GpuInstruction *ins, const uint64_t s[4]) {
    const PtxInstruction *source = ins->source;
    PtxType to = source->type;
    PtxType from = source->source_type;
    if (to == PTX_TF32) return tf32_from_float(source, s[0]);
    if (to == PTX_E4M3X2 || to == PTX_E5M2X2) return tiny_pair(source, s);
    if (from == PTX_E4M3X2 || from == PTX_E5M2X2) return pair_from_tiny(source, s[0]);
    bool pair = (to == PTX_F16X2 || to == PTX_BF16X2) && ins->count > 1;
    if (pair)
        return float_from_float(source, from, half_of(to), s[0]) << 16 |
               float_from_float(source, from, half_of(to), s[1]);
    if (type_is_float(to))
        return type_is_float(from) ? float_from_float(source, from, to, s[0])
                                   : float_from_whole(source, s[0]);
    u64 whole;
    if (type_is_float(source->source_type))
        whole = whole_from_float(source, s[0]);
    else
        whole = whole_from_whole(source, s[0]);
    return scalar_number(to, whole);
}
