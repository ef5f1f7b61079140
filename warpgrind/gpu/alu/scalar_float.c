/* scalar_float.c - floating point on one lane: every rounding, .ftz, .sat, halves, and comparisons (PTX
 * ISA 9.7.3, 9.7.4, 9.7.6).
 *
 * f32 and f64 are computed in their own type with the host's rounding mode set. Halves are computed as
 * doubles: a sum, product or fma of halves has an exact double or one that rounds to the same half (bf16's
 * fma is rounded to odd first).
 */
#include "base/minmax.h"
#include "gpu/alu/approximate.h"
#include "gpu/alu/half.h"
#include "gpu/alu/nan.h"
#include "gpu/alu/scalar.h"

#include <fenv.h>
#include <math.h>

typedef uint64_t u64;

static double from_bits64(u64 bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static u64 to_bits64(double value) {
    u64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float from_bits32(u64 bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static u64 to_bits32(float value) {
    return nan_bits_of(value);
}

static bool is_brain(PtxType type) {
    return type == PTX_BF16 || type == PTX_BF16X2;
}

/** The host's rounding mode for PTX's; to nearest where the text says nothing. */
static int host_rounding(PtxRounding rounding) {
    switch (rounding) {
    case PTX_RZ:
        return FE_TOWARDZERO;
    case PTX_RM:
        return FE_DOWNWARD;
    case PTX_RP:
        return FE_UPWARD;
    case PTX_ROUND_DEFAULT:
    case PTX_RN:
    case PTX_RNI:
    case PTX_RZI:
    case PTX_RMI:
    case PTX_RPI:
    case PTX_RNA:
        break;
    }
    return FE_TONEAREST;
}

static float narrow(double value, PtxRounding rounding) {
    volatile double wide = value;
    fesetround(host_rounding(rounding));
    volatile float result = (float)wide;
    fesetround(FE_TONEAREST);
    return result;
}

static float flush32(float value) {
    if (fpclassify(value) == FP_SUBNORMAL) return copysignf(0, value);
    return value;
}

double scalar_value(PtxType type, uint64_t bits, bool flush) {
    if (type == PTX_F64) return from_bits64(bits);
    if (type == PTX_F32 && flush) return (double)flush32(from_bits32(bits));
    if (type == PTX_F32) return (double)from_bits32(bits);
    double value = half_from(type, (uint16_t)bits);
    if (flush && !is_brain(type) && fabs(value) < 0x1p-14) return copysign(0, value);
    return value;
}

static double saturated(double value) {
    if (!(value > 0)) return 0; /* NaN too */
    return MIN(value, 1);
}

uint64_t scalar_bits(PtxType type, double value, PtxRounding rounding, bool flush, bool saturate) {
    if (saturate) value = saturated(value);
    if (type == PTX_F64) return to_bits64(value);
    if (type == PTX_F32) {
        if (flush && fabsf(narrow(value * 0x1p64, rounding)) < 0x1p-62F) value = copysign(0, value);
        return to_bits32(narrow(value, rounding));
    }
    if (is_brain(type)) return half_to_bf16(value, rounding);
    if (flush && fabs(value) < 0x1p-14) value = copysign(0, value);
    return half_to_f16(value, rounding);
}

/* ---- arithmetic of f32 and f64 with the host's rounding ---- */

/** What keeps the result of f32 from being tiny, or makes it large enough to tell. */
typedef enum FloatScale { SCALE_NONE, SCALE_X, SCALE_XZ } FloatScale;

typedef double Float64(volatile double x, volatile double y, volatile double z);
typedef float Float32(volatile float x, volatile float y, volatile float z);

/** A row of scalar_float.def, by opcode; without functions: no such operation. */
typedef struct FloatRow {
    Float64 *f64;
    Float32 *f32;
    FloatScale scale;
} FloatRow;

/* The operands are volatile, so that no compiler computes anything before the rounding mode is set. */
#define FLOAT(opcode, scale, double_expression, float_expression)                                            \
    static double opcode##_f64(volatile double x, volatile double y, volatile double z) {                    \
        (void)x, (void)y, (void)z;                                                                           \
        return double_expression;                                                                            \
    }                                                                                                        \
    static float opcode##_f32(volatile float x, volatile float y, volatile float z) {                        \
        (void)x, (void)y, (void)z;                                                                           \
        return float_expression;                                                                             \
    }
#include "gpu/alu/scalar_float.def"
#undef FLOAT

static const FloatRow floats[PTX_OPCODE_COUNT] = {
#define FLOAT(opcode, scale, double_expression, float_expression)                                            \
    [PTX_OP_##opcode] = {opcode##_f64, opcode##_f32, scale},
#include "gpu/alu/scalar_float.def"
#undef FLOAT
};

GpuDivision scalar_division(const PtxInstruction *source) {
    if (source->modifiers.approx) return GPU_DIV_APPROX;
    if (source->modifiers.full) return GPU_DIV_FULL;
    return GPU_DIV_EXACT;
}

static float approximate_quotient(GpuDivision division, float x, float y) {
    float scale = 1.0F;
    if (fabsf(y) > 0x1p126F && division == GPU_DIV_FULL) scale = 0.25F;
    return approximate_flush(x * scale) * approximate_rcp(y * scale);
}

/* A card finds tininess after rounding (IEEE 754, 7.5): what 24 bits would leave below 2^-126 if exponents
 * had no end becomes 0, what they would round up to 2^-126 stays. So the operation is done once more 2^64
 * times as large. */
static bool is_tiny(const FloatRow *row, float x, float y, float z) {
    const float up = 0x1p64F;
    switch (row->scale) {
    case SCALE_X:
        return fabsf(row->f32(x * up, y, z)) < 0x1p-126F * up;
    case SCALE_XZ:
        return fabsf(row->f32(x * up, y, z * up)) < 0x1p-126F * up;
    case SCALE_NONE:
        break;
    }
    return false;
}

static u64 scalar_f64(const GpuInstruction *ins, const u64 s[4]) {
    const PtxModifiers *words = &ins->source->modifiers;
    fesetround(host_rounding(words->rounding));
    const double x = from_bits64(s[0]), y = from_bits64(s[1]), z = from_bits64(s[2]);
    volatile double result = floats[ins->source->opcode].f64(x, y, z);
    fesetround(FE_TONEAREST);
    return to_bits64(words->sat ? saturated(result) : nan_of(result, x, y, z));
}

/** An f32 operation with all that its words ask for: .ftz on operands and result, rounding, .sat. A
 * result that is subnormal before it is rounded is flushed too, although rounding may lift it to the
 * smallest normal number. */
static u64 compute_f32(const GpuInstruction *ins, u64 a, u64 b, u64 c) {
    const PtxModifiers *words = &ins->source->modifiers;
    float x = from_bits32(a), y = from_bits32(b), z = from_bits32(c);
    const FloatRow *row = &floats[ins->source->opcode];
    if (words->ftz) x = flush32(x), y = flush32(y), z = flush32(z);
    bool quotient = ins->source->opcode == PTX_OP_div && scalar_division(ins->source) != GPU_DIV_EXACT;
    fesetround(host_rounding(words->rounding));
    volatile float result;
    if (quotient)
        result = approximate_quotient(scalar_division(ins->source), x, y);
    else
        result = row->f32(x, y, z);
    bool tiny = words->ftz && !quotient && is_tiny(row, x, y, z);
    fesetround(FE_TONEAREST);
    if (tiny) result = copysignf(0, result);
    if (words->sat) result = (float)saturated((double)result);
    if (words->ftz) result = flush32(result);
    return to_bits32(result);
}

static u64 scalar_f32(const GpuInstruction *ins, const u64 s[4]) {
    return compute_f32(ins, s[0], s[1], s[2]);
}

static u64 scalar_f32_pair(const GpuInstruction *ins, const u64 s[4]) {
    return compute_f32(ins, s[0], s[1], s[2]) | compute_f32(ins, s[0] >> 32, s[1] >> 32, s[2] >> 32) << 32;
}

/* ---- halves ---- */

/** x*y + z rounded to odd: what is lost shows in the last bit, so that a second rounding cannot go wrong. */
static double fma_to_odd(double x, double y, double z) {
    double product = x * y, sum = product + z; /* the product of two halves is exact */
    double back = sum - product, error = (product - (sum - back)) + (z - back);
    if (error == 0 || !isfinite(sum)) return sum;
    u64 bits = to_bits64(sum);
    if (bits & 1) return sum;
    bool away = (error > 0) == (sum > 0);
    return from_bits64(away ? bits | 1 : bits - 1);
}

static double half_compute(const PtxInstruction *source, double x, double y, double z) {
    if (source->opcode == PTX_OP_fma) return fma_to_odd(x, y, z);
    return floats[source->opcode].f64(x, y, z);
}

static u64 half_one(const PtxInstruction *source, uint16_t x, uint16_t y, uint16_t z) {
    PtxType type = source->type;
    const PtxModifiers *words = &source->modifiers;
    double result = half_compute(source, scalar_value(type, x, words->ftz), scalar_value(type, y, words->ftz),
                                 scalar_value(type, z, words->ftz));
    if (words->relu && result <= 0) result = 0;
    return scalar_bits(type, result, words->rounding, words->ftz, words->sat);
}

static u64 scalar_halves(const GpuInstruction *ins, const u64 s[4]) {
    u64 result = 0;
    for (unsigned i = 0; i < ptx_type_bytes(ins->source->type) / 2; i++)
        result |= half_one(ins->source, (uint16_t)(s[0] >> 16 * i), (uint16_t)(s[1] >> 16 * i),
                           (uint16_t)(s[2] >> 16 * i))
                  << 16 * i;
    return result;
}

/* ---- sign, minimum and maximum: on bits of any float type, half by half ---- */

static u64 scalar_sign(const GpuInstruction *ins, const u64 s[4]) {
    PtxType type = ins->source->type;
    u64 signs = scalar_sign_bits(type);
    u64 x = s[0];
    const bool negates = ins->source->opcode == PTX_OP_neg;
    if (type == PTX_F32 && nan_is32((uint32_t)x) && !negates) return NAN32_BITS;
    if (type == PTX_F32 && ins->source->modifiers.ftz) x = to_bits32(flush32(from_bits32(x)));
    if (negates) return x ^ signs;
    return x & ~signs;
}

/** min and max (PTX ISA 9.7.3): a NaN loses against a number unless .NaN is asked for, -0 counts as less
 * than +0, and .xorsign gives the result the product's sign. */
static double lesser(const PtxInstruction *source, double x, double y) {
    const PtxModifiers *words = &source->modifiers;
    bool minimum = source->opcode == PTX_OP_min, negative = signbit(x) != signbit(y);
    if (words->abs) x = fabs(x), y = fabs(y);
    double result;
    if ((x != x && y != y) || ((x != x || y != y) && words->nan))
        result = (double)NAN;
    else if (x != x)
        result = y;
    else if (y != y)
        result = x;
    else if (x == y)
        result = (signbit(x) != 0) == minimum ? x : y;
    else
        result = (x < y) == minimum ? x : y;
    if (words->xorsign) result = fabs(result);
    if (words->xorsign && negative) result = -result;
    return result;
}

/** min and max of two or three operands; of the halves of a pair one by one. */
static u64 scalar_min_max(const GpuInstruction *ins, const u64 s[4]) {
    const PtxInstruction *source = ins->source;
    PtxType type = source->type;
    bool flush = source->modifiers.ftz;
    unsigned bits = 16;
    if (!half_is_one(type)) bits = 8 * ptx_type_bytes(type);
    u64 result = 0;
    for (unsigned place = 0; place < 8 * ptx_type_bytes(type); place += bits) {
        double value = lesser(source, scalar_value(type, s[0] >> place, flush),
                              scalar_value(type, s[1] >> place, flush));
        if (ins->count > 2) value = lesser(source, value, scalar_value(type, s[2], flush));
        result |= scalar_bits(type, value, PTX_RN, flush, false) << place;
    }
    return result;
}

/** The sets of fpclassify's answers that testp asks for; zero counts as normal (PTX ISA 9.7.3.1). */
static const uint8_t testp_kinds[] = {
    [PTX_MODE_FINITE] = 1 << FP_ZERO | 1 << FP_SUBNORMAL | 1 << FP_NORMAL,
    [PTX_MODE_INFINITE] = 1 << FP_INFINITE,
    [PTX_MODE_NUMBER] = 1 << FP_ZERO | 1 << FP_SUBNORMAL | 1 << FP_NORMAL | 1 << FP_INFINITE,
    [PTX_MODE_NOTANUMBER] = 1 << FP_NAN,
    [PTX_MODE_NORMAL] = 1 << FP_ZERO | 1 << FP_NORMAL,
    [PTX_MODE_SUBNORMAL] = 1 << FP_SUBNORMAL,
};

static u64 scalar_testp(const GpuInstruction *ins, const u64 s[4]) {
    double wide = from_bits64(s[0]);
    int kind;
    if (ins->source->type == PTX_F64)
        kind = fpclassify(wide);
    else
        kind = fpclassify(from_bits32(s[0]));
    return testp_kinds[ins->source->modifiers.mode] >> kind & 1;
}

static u64 scalar_slct_ftz(const GpuInstruction *ins, const u64 s[4]) {
    (void)ins;
    if (flush32(from_bits32(s[2])) >= 0) return s[0];
    return s[1];
}

/* ---- comparisons ---- */

/** setp's comparisons of floats (PTX ISA 9.3.1): those that end in u also hold when an operand is NaN;
 * the others, ne included, do not. */
static bool compare_floats(PtxCompare compare, double x, double y) {
    bool unordered = x != x || y != y;
    switch (compare) {
    case PTX_EQ:
        return x == y;
    case PTX_NE:
        return !unordered && x != y;
    case PTX_LT:
        return x < y;
    case PTX_LE:
        return x <= y;
    case PTX_GT:
        return x > y;
    case PTX_GE:
        return x >= y;
    case PTX_EQU:
        return unordered || x == y;
    case PTX_NEU:
        return unordered || x != y;
    case PTX_LTU:
        return unordered || x < y;
    case PTX_LEU:
        return unordered || x <= y;
    case PTX_GTU:
        return unordered || x > y;
    case PTX_GEU:
        return unordered || x >= y;
    case PTX_NUM:
        return !unordered;
    case PTX_NAN:
        return unordered;
    case PTX_CMP_NONE:
    case PTX_LO:
    case PTX_LS:
    case PTX_HI:
    case PTX_HS:
        break;
    }
    BUG("not a comparison of floats");
}

/** Both operands are extended from their type first, so that one comparison of 64 bits suits all of them.
 * lo, ls, hi and hs compare without sign, whatever the type. */
bool scalar_compare_whole(PtxCompare compare, PtxType type, u64 a, u64 b) {
    u64 x = scalar_number(type, a), y = scalar_number(type, b);
    bool less = scalar_less(scalar_is_signed(type), x, y);
    switch (compare) {
    case PTX_EQ:
        return x == y;
    case PTX_NE:
        return x != y;
    case PTX_LT:
        return less;
    case PTX_LE:
        return less || x == y;
    case PTX_GT:
        return !less && x != y;
    case PTX_GE:
        return !less;
    case PTX_LO:
        return x < y;
    case PTX_LS:
        return x <= y;
    case PTX_HI:
        return x > y;
    case PTX_HS:
        return x >= y;
    case PTX_CMP_NONE:
    case PTX_EQU:
    case PTX_NEU:
    case PTX_LTU:
    case PTX_LEU:
    case PTX_GTU:
    case PTX_GEU:
    case PTX_NUM:
    case PTX_NAN:
        break;
    }
    BUG("not a comparison of whole numbers");
}

static bool type_is_float(PtxType type) {
    return type == PTX_F32 || type == PTX_F64 || half_is_one(type);
}

static bool compare_part(const GpuInstruction *ins, PtxType type, u64 a, u64 b) {
    const PtxModifiers *words = &ins->source->modifiers;
    if (!type_is_float(type)) return scalar_compare_whole(words->compare, type, a, b);
    return compare_floats(words->compare, scalar_value(type, a, words->ftz),
                          scalar_value(type, b, words->ftz));
}

static u64 scalar_compare(const GpuInstruction *ins, const u64 s[4]) {
    return compare_part(ins, ins->source->type, s[0], s[1]);
}

/** set.cmp.bool.dtype.stype d, a, b, c: all ones, or 1.0 for floats; pairs one by one. */
static u64 scalar_set(const GpuInstruction *ins, const u64 s[4]) {
    const PtxInstruction *source = ins->source;
    bool pair = source->source_type == PTX_F16X2 || source->source_type == PTX_BF16X2;
    unsigned bytes = 2;
    if (!pair) bytes = ptx_type_bytes(source->type);
    u64 result = 0;
    for (unsigned i = 0; i < 1u + pair; i++) {
        bool truth = compare_part(ins, source->source_type, s[0] >> 16 * i, s[1] >> 16 * i);
        if (source->modifiers.boolean == PTX_BOOL_AND) truth = truth && s[2];
        if (source->modifiers.boolean == PTX_BOOL_OR) truth = truth || s[2];
        if (source->modifiers.boolean == PTX_BOOL_XOR) truth = truth != (s[2] != 0);
        u64 yes = scalar_low(UINT64_MAX, bytes);
        if (type_is_float(source->type)) yes = scalar_bits(source->type, 1.0, PTX_RN, false, false);
        if (truth) result |= yes << 16 * i;
    }
    return result;
}

GpuScalar *scalar_find_compare(const PtxInstruction *source) {
    if (source->opcode == PTX_OP_set) return scalar_set;
    return scalar_compare;
}

/** The lane's function for an instruction on floats; NULL when its type is none. */
GpuScalar *scalar_find_float(const PtxInstruction *source) {
    PtxType type = source->type;
    if (source->opcode == PTX_OP_slct && source->source_type == PTX_F32) return scalar_slct_ftz;
    if (type == PTX_F32X2) return scalar_f32_pair;
    if (!type_is_float(type)) return NULL;
    PtxOpcode opcode = source->opcode;
    if (opcode == PTX_OP_neg || opcode == PTX_OP_abs) return scalar_sign;
    if (opcode == PTX_OP_min || opcode == PTX_OP_max) return scalar_min_max;
    if (opcode == PTX_OP_testp) return scalar_testp;
    if (!floats[opcode].f64) return NULL;
    if (half_is_one(type)) return scalar_halves;
    if (type == PTX_F64) return scalar_f64;
    return scalar_f32;
}
